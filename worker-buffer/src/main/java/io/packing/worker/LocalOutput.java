package io.packing.worker;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.buffer.Appender;
import io.packing.worker.buffer.SliceWriter;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The output of a file of this process's buffer: in memory while it is small, in slices from then on. */
final class LocalOutput extends PackingOutput {
    private static final int FIRST_BYTES = 8 << 10;

    private final Admission admission;
    private final FilePath path;
    private final CreateOptions options;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int count;
    private long spilled;
    private Optional<SliceWriter> slices = Optional.empty();
    private FileAttributes attributes = new FileAttributes(0, 0, "", "", 0);
    private Optional<FileVersion> version = Optional.empty();
    private boolean ended;

    LocalOutput(Admission admission, FilePath path, CreateOptions options) {
        this.admission = admission;
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
        int spillBytes = admission.options().spillBytes();
        for (int done = 0; done < length; ) {
            if (count == spillBytes) {
                spill();
            }
            int step = Math.min(length - done, spillBytes - count);
            if (count + step > bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(spillBytes, Math.max(2L * bytes.length, count + step)));
            }
            System.arraycopy(from, offset + done, bytes, count, step);
            count += step;
            done += step;
        }
    }

    private void spill() throws IOException {
        if (slices.isEmpty()) {
            slices = Optional.of(admission.slices(path));
        }
        slices.get().append(ByteBuffer.wrap(bytes, 0, count));
        spilled += count;
        count = 0;
    }

    @Override
    public void close() throws IOException {
        if (ended) {
            return;
        }
        ended = true;
        if (slices.isEmpty()) {
            attributes = admission.attributes(options, count);
            version = Optional.of(
                    await(admission.put(path, options, ByteBuffer.wrap(bytes, 0, count), Appender.Writer.CLOSES)));
        } else {
            // A fenced worker must not finish it first.
            Objects.requireNonNull(admission.session());
            spill();
            attributes = admission.attributes(options, spilled);
            version = Optional.of(await(admission.admit(slices.get().finish(attributes), options)));
        }
        bytes = new byte[0];
    }

    private static <T> T await(CompletableFuture<T> future) throws IOException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IOException(String.valueOf(e.getCause()), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while closing");
        }
    }

    @Override
    public void abort() {
        if (!ended) {
            ended = true;
            slices.ifPresent(SliceWriter::abort);
        }
    }

    @Override
    public FileVersion version() {
        return version.orElseThrow(() -> new IllegalStateException(path + " is not closed"));
    }

    @Override
    public FileAttributes attributes() {
        if (version.isEmpty()) {
            throw new IllegalStateException(path + " is not closed");
        }
        return attributes;
    }
}
