package io.packing.worker.client;

import io.packing.bdt.LocatedFile;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.rpc.LargeWrite;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** The output of a file that a worker elsewhere buffers: in memory while it is small, streamed from then on. */
final class RemoteOutput extends PackingOutput {
    private static final int FIRST_BYTES = 8 << 10;

    private final RemotePackingFileSystem mount;
    private final FilePath path;
    private final CreateOptions options;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int count;
    private Optional<LargeWrite> large = Optional.empty();
    private Optional<FileVersion> closed = Optional.empty();
    private boolean ended;

    RemoteOutput(RemotePackingFileSystem mount, FilePath path, CreateOptions options) {
        this.mount = mount;
        this.path = path;
        this.options = options;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        if (ended) {
            throw new IOException("output of %s is closed".formatted(path));
        }
        int most = mount.options().spillBytes();
        for (int done = 0; done < length; ) {
            if (count == most) {
                send();
            }
            int step = Math.min(length - done, most - count);
            if (count + step > bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(most, Math.max(2L * bytes.length, count + step)));
            }
            System.arraycopy(from, offset + done, bytes, count, step);
            count += step;
            done += step;
        }
    }

    private void send() throws IOException {
        if (large.isEmpty()) {
            large = Optional.of(mount.large(path, options));
        }
        large.get().write(bytes, 0, count);
        count = 0;
    }

    @Override
    public void close() throws IOException {
        if (ended) {
            return;
        }
        ended = true;
        if (large.isPresent()) {
            send();
            closed = Optional.of(large.get().finish());
        } else {
            closed = Optional.of(put());
        }
        bytes = new byte[0];
    }

    private FileVersion put() throws IOException {
        try {
            return mount.put(path, ByteBuffer.wrap(bytes, 0, count), options).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IOException(String.valueOf(e.getCause()), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while closing " + path);
        }
    }

    @Override
    public void abort() {
        if (!ended) {
            ended = true;
            large.ifPresent(LargeWrite::abort);
        }
    }

    @Override
    public FileVersion version() {
        return closed.orElseThrow(() -> new IllegalStateException(path + " is not closed"));
    }

    /** As the directory has them: the worker's clock gave the mtime. */
    @Override
    public FileAttributes attributes() {
        try {
            return mount.bdt()
                    .locate(version())
                    .map(LocatedFile::status)
                    .orElseThrow(() -> new IllegalStateException(path + " was deleted or overwritten"))
                    .attributes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
