package io.packing.worker;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.Durability;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.buffer.BufferedFile;
import io.packing.worker.buffer.SliceWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The output of a file of this process's buffer: in memory while it is small, in slices from then on. */
final class LocalOutput extends PackingOutput {
    private static final int FIRST_BYTES = 8 << 10;

    private final LocalMount mount;
    private final FilePath path;
    private final CreateOptions options;
    private final long fileId;
    private byte[] bytes = new byte[FIRST_BYTES];
    private int count;
    private long spilled;
    private Optional<SliceWriter> slices = Optional.empty();
    private Optional<BufferedFile> closed = Optional.empty();
    private boolean ended;

    LocalOutput(LocalMount mount, FilePath path, CreateOptions options, long fileId) {
        this.mount = mount;
        this.path = path;
        this.options = options;
        this.fileId = fileId;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        java.util.Objects.checkFromIndexSize(offset, length, from.length);
        if (ended) {
            throw new IOException("output of %s is closed".formatted(path));
        }
        int spillBytes = mount.options().spillBytes();
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
            slices = Optional.of(mount.slices(fileId, path));
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
        // A fenced worker must not append first.
        WorkerSession session = mount.session();
        FileAttributes attributes = new FileAttributes(
                spilled + count, mount.nowMillis(), options.owner(), options.group(), options.mode());
        BufferedFile file;
        CompletableFuture<ClaimResult> claim;
        Claim wanted = new Claim(fileId, path, attributes, options.createParents(), options.overwrite());
        if (slices.isPresent()) {
            spill();
            file = slices.get().finish(attributes);
            claim = session.claim(wanted);
        } else {
            file = mount.append(fileId, path, attributes, ByteBuffer.wrap(bytes, 0, count));
            claim = session.claim(wanted);
        }
        try {
            finish(file, await(claim));
        } catch (IOException | RuntimeException e) {
            mount.buffer().drop(file);
            throw e;
        }
        closed = Optional.of(file);
        bytes = new byte[0];
        if (mount.options().durability() == Durability.UPLOADED) {
            mount.buffer().requestRoll();
            await(file.committed());
        }
    }

    private void finish(BufferedFile file, ClaimResult result) throws IOException {
        if (result instanceof ClaimResult.Refused refused) {
            throw refusal(refused);
        }
        await(file.appended());
        mount.buffer().granted(file, ((ClaimResult.Granted) result).version().generation());
    }

    private IOException refusal(ClaimResult.Refused refused) {
        return switch (refused.reason()) {
            case EXISTS -> new FileAlreadyExistsException(path.value());
            case NO_PARENT, NOT_FOUND -> new NoSuchFileException(path.value(), null, "the parent does not exist");
            default -> new IOException("cannot create %s: %s".formatted(path, refused.reason()));
        };
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
            throw new java.io.InterruptedIOException("interrupted while closing");
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
        return closed.orElseThrow(() -> new IllegalStateException(path + " is not closed"))
                .version();
    }

    @Override
    public FileAttributes attributes() {
        return closed.orElseThrow(() -> new IllegalStateException(path + " is not closed"))
                .attributes();
    }
}
