// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import io.packing.bdt.BdtUser;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.read.BatchAnswer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.IntFunction;

/** An engine with the answers of a test. */
final class Engine implements PeerServer.Served {
    volatile Function<FilePath, CompletableFuture<FileVersion>> put =
            path -> CompletableFuture.failedFuture(new IOException("no files"));
    /** The answers to reads, by the requested length. */
    volatile IntFunction<Optional<ByteBuffer>> read = length -> Optional.empty();

    volatile IntFunction<Optional<ByteBuffer>> stored = length -> Optional.empty();
    /** Counts requests for bytes in blobs: zero when more have come than a worker has threads for other reads. */
    final CountDownLatch storedAsked = new CountDownLatch(17);

    @Override
    public Optional<ByteBuffer> read(String mount, FileVersion version, long offset, int length) {
        return read.apply(length);
    }

    @Override
    public Optional<ByteBuffer> readStored(String mount, FileVersion version, long offset, int length) {
        storedAsked.countDown();
        return stored.apply(length);
    }

    /** Gives no bytes to a user: tests with this engine know none. */
    @Override
    public OptionalLong readableUntil(String mount, FilePath path, FileVersion version, String user, long offset) {
        return OptionalLong.empty();
    }

    @Override
    public List<BatchAnswer> readBatch(String mount, List<FilePath> paths, Optional<BdtUser> user, boolean readsOn)
            throws IOException {
        throw new IOException("no batches");
    }

    @Override
    public void flush(String mount) {
        // The engine has no buffer.
    }

    @Override
    public CompletableFuture<FileVersion> put(String mount, FilePath path, CreateOptions options, ByteBuffer bytes) {
        return put.apply(path);
    }

    @Override
    public PackingOutput create(String mount, FilePath path, CreateOptions options) throws IOException {
        throw new IOException("no large files");
    }
}
