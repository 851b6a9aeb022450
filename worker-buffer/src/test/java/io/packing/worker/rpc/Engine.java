package io.packing.worker.rpc;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.IntFunction;

/** An engine that answers as a test says. */
final class Engine implements PeerServer.Served {
    volatile Function<FilePath, CompletableFuture<FileVersion>> put =
            path -> CompletableFuture.failedFuture(new IOException("no files"));
    /** By the length that is asked for. */
    volatile IntFunction<Optional<ByteBuffer>> read = length -> Optional.empty();

    volatile IntFunction<Optional<ByteBuffer>> stored = length -> Optional.empty();
    /** Zero once more threads than a worker has for other reads have asked for bytes in blobs. */
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

    /** Gives no bytes to a user: tests that use this engine know none. */
    @Override
    public OptionalLong readableUntil(String mount, FilePath path, FileVersion version, String user, long offset) {
        return OptionalLong.empty();
    }

    @Override
    public void flush(String mount) {
        // Nothing is buffered.
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
