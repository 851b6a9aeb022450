package io.packing.worker.api;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/**
 * The bytes of a new file, in order. After a failed write the file can only be given up: half of it must not appear. Confined to
 * one thread.
 */
public abstract class PackingOutput extends OutputStream {
    private final FilePath path;
    private boolean failed;
    private boolean ended;

    protected PackingOutput(FilePath path) {
        this.path = path;
    }

    /** Takes bytes that follow those before them. */
    protected abstract void append(byte[] from, int offset, int length) throws IOException;

    /** Completes the file: called once, after writes that all succeeded. */
    protected abstract void complete() throws IOException;

    /** Forgets the bytes that were taken: called once, when the file is not completed. */
    protected abstract void discard();

    /** The identity of the file, once closed. */
    public abstract FileVersion version();

    /** The attributes of the file, once closed. */
    public abstract FileAttributes attributes();

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
     * Completes the file: returns when it is as durable as the mount asks, and claimed. Idempotent.
     *
     * @throws IOException also when a write failed: the file is given up then
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

    /** Gives the file up; nothing appears in the namespace. A later close does nothing. */
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
