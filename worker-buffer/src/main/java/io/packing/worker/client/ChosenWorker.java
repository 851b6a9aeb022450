// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import io.packing.worker.api.Awaited;
import io.packing.worker.rpc.WriteStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The worker to which a mount writes now, by one stream. When the stream breaks, the next call looks for another worker. Thread-safe. */
final class ChosenWorker implements AutoCloseable {
    private final WorkerSearch search;
    private final Function<String, WriteStream> opener;
    private volatile Optional<WriteStream> stream = Optional.empty();
    /** The search for a worker that is under way; other calls that need a stream share its result. */
    private Optional<CompletableFuture<WriteStream>> searching = Optional.empty();

    private boolean closed;

    /**
     * Chooses no worker yet.
     *
     * @param search is closed with this
     * @param opener opens a stream to the worker at an address
     */
    ChosenWorker(WorkerSearch search, Function<String, WriteStream> opener) {
        this.search = search;
        this.opener = opener;
    }

    /** Returns the stream to the worker; opens another one when it broke. */
    WriteStream stream() throws IOException {
        Optional<WriteStream> now = stream;
        return now.isPresent() && now.get().isOpen() ? now.get() : reopen();
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
        WriteStream opened = opener.apply(address);
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
    }
}
