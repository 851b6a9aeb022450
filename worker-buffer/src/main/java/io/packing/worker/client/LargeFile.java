// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import io.packing.blob.FileVersion;
import io.packing.worker.api.LeavingException;
import io.packing.worker.rpc.LargeWrite;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A large file on its way to a worker, or to the next one when that worker has left. A worker that has left refuses the
 * beginning of a file, but its answer may come when more bytes are under way. So this class keeps the first bytes until
 * enough have followed that the worker must have taken the beginning. For one writing thread.
 */
final class LargeFile {
    /** The first bytes to keep: more than can be under way to a worker that has not taken the beginning. */
    private static final long KEPT_BYTES = 4 << 20;
    /** The most workers to try; each one that has left costs one. */
    private static final int MOST_WORKERS = 10;

    /** A stream of a file to one worker. */
    interface WorkerStream {
        void write(ByteBuffer piece) throws IOException;

        FileVersion finish() throws IOException;

        void abort();
    }

    /** Returns a way over a write stream. */
    static WorkerStream way(LargeWrite write) {
        return new WorkerStream() {
            @Override
            public void write(ByteBuffer piece) throws IOException {
                write.write(piece);
            }

            @Override
            public FileVersion finish() throws IOException {
                return write.finish();
            }

            @Override
            public void abort() {
                write.abort();
            }
        };
    }

    /** The search for workers. */
    interface WorkerStreams {
        /** Returns a way to a worker that takes files, and that no earlier way led to. */
        WorkerStream open() throws IOException;
    }

    private final WorkerStreams ways;
    private final List<ByteBuffer> kept = new ArrayList<>();
    private long keptBytes;
    private Optional<WorkerStream> way = Optional.empty();
    private boolean taken;
    private int workers;

    LargeFile(WorkerStreams ways) {
        this.ways = ways;
    }

    /** Sends a piece; the caller may change its bytes afterwards. */
    void write(ByteBuffer piece) throws IOException {
        boolean follows = keptBytes >= KEPT_BYTES;
        if (!taken) {
            kept.add(ByteBuffer.allocate(piece.remaining())
                    .put(piece.duplicate())
                    .flip());
            keptBytes += piece.remaining();
        }
        try {
            open().write(piece);
        } catch (LeavingException e) {
            sendElsewhere(e);
        }
        if (follows) {
            taken = true;
            kept.clear();
        }
    }

    /** Completes the file with its last piece. */
    FileVersion finish(ByteBuffer last) throws IOException {
        write(last);
        while (true) {
            try {
                return open().finish();
            } catch (LeavingException e) {
                sendElsewhere(e);
            }
        }
    }

    private WorkerStream open() throws IOException {
        if (way.isEmpty()) {
            workers++;
            way = Optional.of(ways.open());
        }
        return way.get();
    }

    /** Sends all bytes so far to a worker that takes them. */
    private void sendElsewhere(LeavingException left) throws IOException {
        for (LeavingException last = left; ; ) {
            if (taken || workers == MOST_WORKERS) {
                throw last;
            }
            way = Optional.empty();
            try {
                for (ByteBuffer piece : kept) {
                    open().write(piece.duplicate());
                }
                return;
            } catch (LeavingException e) {
                last = e;
            }
        }
    }

    void abort() {
        way.ifPresent(WorkerStream::abort);
    }
}
