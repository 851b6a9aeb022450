// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.blob.FilePath;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/**
 * An output of bytes for a file, in order, which take effect together when it is closed, or not at all. After a failed
 * write the caller can only give it up: half of the bytes must not appear. Confined to one thread.
 */
public abstract class AtomicOutput extends OutputStream {
    private final FilePath path;
    private boolean failed;
    private boolean ended;

    /** @param path of the file that gets the bytes, for messages */
    protected AtomicOutput(FilePath path) {
        this.path = path;
    }

    /** Takes bytes that follow those before them. */
    protected abstract void append(byte[] from, int offset, int length) throws IOException;

    /** Lets the bytes take effect; called once, after writes that all succeeded. */
    protected abstract void complete() throws IOException;

    /** Forgets the taken bytes; called once, when they do not take effect. */
    protected abstract void discard();

    @Override
    public final void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public final void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        if (ended) {
            throw new IOException("output of %s is closed".formatted(path));
        }
        boolean done = false;
        try {
            append(from, offset, length);
            done = true;
        } finally {
            failed |= !done;
        }
    }

    /**
     * Lets the bytes take effect; returns when they are as durable as the mount asks. Idempotent.
     *
     * @throws IOException also when a write failed: the output gives the bytes up then
     */
    @Override
    public final void close() throws IOException {
        if (failed) {
            giveUp();
            throw new IOException("%s was given up: an earlier write of it failed".formatted(path));
        }
        if (!ended) {
            ended = true;
            complete();
        }
    }

    /** Gives the bytes up; the namespace stays as it was. A later close does nothing. */
    public final void abort() {
        failed = false;
        giveUp();
    }

    private void giveUp() {
        if (!ended) {
            ended = true;
            discard();
        }
    }
}
