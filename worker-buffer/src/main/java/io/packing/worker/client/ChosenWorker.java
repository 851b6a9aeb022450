// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import io.packing.worker.api.Awaited;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.rpc.WriteStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The worker to which a mount writes now. Files whose closes wait for an upload have a stream of their own, so that no other file shares a batch
 * with them, or waits for the store. When a stream breaks, the next call looks for another worker. Thread-safe.
 */
final class ChosenWorker implements AutoCloseable {
    private final WorkerSearch search;
    private final Opener opener;
    private volatile Optional<WriteStream> stream = Optional.empty();
    private Optional<WriteStream> uploads = Optional.empty();
    /** The search for a worker that is under way; other calls that need a stream share its result. */
    private Optional<CompletableFuture<WriteStream>> searching = Optional.empty();

    private boolean closed;

    /** The opener of streams. */
    interface Opener {
        /**
         * Opens a stream to a worker.
         *
         * @param uploaded true if the worker answers when the store has the files
         */
        WriteStream open(String address, boolean uploaded);
    }

    /**
     * Chooses no worker yet.
     *
     * @param search is closed with this
     */
    ChosenWorker(WorkerSearch search, Opener opener) {
        this.search = search;
        this.opener = opener;
    }

    /** Returns the stream to the worker; opens another one when it broke. */
    WriteStream stream() throws IOException {
        Optional<WriteStream> now = stream;
        return now.isPresent() && now.get().isOpen() ? now.get() : reopen();
    }

    /** Returns the stream to the worker for files with these options. */
    WriteStream streamOf(CreateOptions options) throws IOException {
        return options.uploaded() ? uploads() : stream();
    }

    private WriteStream uploads() throws IOException {
        WriteStream chosen = stream();
        synchronized (this) {
            boolean isThere = uploads.isPresent() && uploads.get().address().equals(chosen.address());
            if (isThere && uploads.get().isOpen()) {
                return uploads.get();
            }
            if (!isThere) {
                return openUploads(chosen);
            }
        }
        // The worker broke the stream off, or leaves: the other stream may not know it yet.
        chosen.leave();
        WriteStream next = stream();
        synchronized (this) {
            return openUploads(next);
        }
    }

    private WriteStream openUploads(WriteStream chosen) throws IOException {
        checkOpen();
        // Its worker answers the files that are under way.
        uploads.ifPresent(WriteStream::leave);
        WriteStream opened = opener.open(chosen.address(), true);
        uploads = Optional.of(opened);
        return opened;
    }

    private WriteStream reopen() throws IOException {
        CompletableFuture<WriteStream> mine = new CompletableFuture<>();
        Optional<CompletableFuture<WriteStream>> others;
        synchronized (this) {
            checkOpen();
            if (stream.isPresent() && stream.get().isOpen()) {
                return stream.get();
            }
            others = searching;
            if (others.isEmpty()) {
                searching = Optional.of(mine);
            }
        }
        if (others.isPresent()) {
            return Awaited.shared(others.get(), "a worker is looked for");
        }
        try {
            String address = search.find(stream.map(WriteStream::address));
            WriteStream opened = open(address);
            mine.complete(opened);
            return opened;
        } catch (Throwable e) {
            mine.completeExceptionally(e);
            throw e;
        } finally {
            synchronized (this) {
                searching = Optional.empty();
            }
        }
    }

    private synchronized WriteStream open(String address) throws IOException {
        checkOpen();
        WriteStream opened = opener.open(address, false);
        stream = Optional.of(opened);
        return opened;
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("the mount is closed");
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        search.close();
        stream.ifPresent(WriteStream::close);
        uploads.ifPresent(WriteStream::close);
    }
}
