package io.packing.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.packing.bdt.BlobDirectory;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreConfig;
import io.packing.sorted.SortedStores;
import io.packing.store.ObjectStore;
import io.packing.worker.buffer.Appender;
import io.packing.worker.buffer.BufferedFile;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.buffer.SliceWriter;
import io.packing.worker.pack.BlobClock;
import io.packing.worker.pack.Commits;
import io.packing.worker.pack.LocalBdt;
import io.packing.worker.pack.Packer;
import io.packing.worker.read.BlobPages;
import io.packing.worker.read.LocatedInput;
import io.packing.worker.read.Peers;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A mount whose files this process buffers. */
final class LocalMount implements PackingFileSystem {
    private static final Duration FULL_TIMEOUT = Duration.ofMinutes(10);
    private static final int INDEX_CACHE_BYTES = 8 << 20;
    private static final int INDEX_WRITE_BUFFER_BYTES = 4 << 20;
    private static final long MIN_FREE_DISK_BYTES = 32L << 20;
    private static final long IDLE_MILLIS = 10;
    private static final long RETRY_MILLIS = 500;

    /** What a mount shares with the other mounts of its process. */
    record Shared(
            String worker,
            String address,
            SortedStore localBdt,
            BlobClock blobClock,
            Peers peers,
            Clock clock,
            MeterRegistry metrics) {}

    private final String name;
    private final MountOptions options;
    private final BlobDirectory directory;
    private final ObjectStore store;
    private final Shared shared;
    private final SortedStore index;
    private final FileBuffer buffer;
    private final Appender appender;
    private final Commits commits;
    private final BlobPages pages;
    private final List<Loop> loops = new ArrayList<>();
    private boolean closed;

    private LocalMount(
            String name,
            MountOptions options,
            BlobDirectory directory,
            ObjectStore store,
            Shared shared,
            SortedStore index,
            FileBuffer buffer,
            Commits commits) {
        this.name = name;
        this.options = options;
        this.directory = directory;
        this.store = store;
        this.shared = shared;
        this.index = index;
        this.buffer = buffer;
        this.commits = commits;
        this.appender = new Appender(buffer);
        this.pages = new BlobPages(store, Packer.BLOBS, options.readCacheBytes(), options.readWindowMaxBytes());
    }

    static LocalMount open(
            String name, MountOptions options, BlobDirectory directory, ObjectStore store, Path home, Shared shared)
            throws IOException {
        Path segments = home.resolve("segments");
        Path scratch = Files.createDirectories(home.resolve("scratch"));
        SortedStore index = SortedStores.open(
                home.resolve("index"),
                new SortedStoreConfig(
                        options.engine(), INDEX_CACHE_BYTES, INDEX_WRITE_BUFFER_BYTES, MIN_FREE_DISK_BYTES));
        FileBuffer buffer = FileBuffer.open(
                segments,
                new FileBuffer.Limits(
                        options.bufferMaxBytes(),
                        options.blobMaxBytes(),
                        options.sealAfter(),
                        FULL_TIMEOUT,
                        options.durability()),
                index,
                System::nanoTime);
        LocalBdt localBdt = new LocalBdt(shared.localBdt(), name);
        Commits commits =
                Commits.start(directory, new WorkerRegistration(shared.worker(), shared.address()), buffer, localBdt);
        LocalMount mount = new LocalMount(name, options, directory, store, shared, index, buffer, commits);
        Packer packer = new Packer(
                shared.worker(),
                buffer,
                options.policy().policy(),
                options.blobMaxBytes(),
                store,
                shared.blobClock(),
                localBdt,
                commits,
                scratch,
                shared.metrics());
        mount.start(packer);
        return mount;
    }

    private void start(Packer packer) {
        loops.add(Loop.start("packing-append-" + name, RETRY_MILLIS, appender::step));
        for (int i = 0; i < options.threads(); i++) {
            loops.add(Loop.start("packing-pack-%s-%d".formatted(name, i), RETRY_MILLIS, () -> {
                if (!packer.step()) {
                    Thread.sleep(IDLE_MILLIS);
                }
            }));
        }
        loops.add(Loop.start("packing-heartbeat-" + name, RETRY_MILLIS, () -> {
            commits.awaitBeat();
            commits.step();
        }));
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public BlobDirectory directory() {
        return directory;
    }

    MountOptions options() {
        return options;
    }

    FileBuffer buffer() {
        return buffer;
    }

    WorkerSession session() throws IOException {
        return commits.session();
    }

    long nowMillis() {
        return shared.clock().millis();
    }

    SliceWriter slices(long fileId, FilePath path) {
        return new SliceWriter(buffer, fileId, path, options.compression());
    }

    BufferedFile append(long fileId, FilePath path, FileAttributes attributes, ByteBuffer bytes) throws IOException {
        return appender.append(fileId, path, attributes, options.compression(), bytes);
    }

    @Override
    public PackingOutput create(FilePath path, CreateOptions createOptions) throws IOException {
        return new LocalOutput(this, path, createOptions, session().newFileId());
    }

    @Override
    public PackingInput open(FilePath path) throws IOException {
        LocatedFile file = directory.locate(path).orElseThrow(() -> new FileNotFoundException(path.value()));
        return new LocatedInput(directory, name, pages, this::readOwn, shared.peers(), file);
    }

    /** Bytes of a file that this process buffers; empty when it does not. */
    Optional<ByteBuffer> readOwn(FileVersion version, long offset, int length) throws IOException {
        Optional<BufferedFile> file = buffer.find(version.id());
        if (file.isEmpty()) {
            return Optional.empty();
        }
        file.get().appended().join();
        Optional<List<BufferedFile.Part>> parts = buffer.parts(file.get());
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        for (BufferedFile.Part part : parts.get()) {
            if (part.extent().fileOffset() <= offset && offset < part.extent().fileEnd()) {
                return read(part, (int) (offset - part.extent().fileOffset()), length);
            }
        }
        throw new IOException("file %s has no bytes at %d in the buffer".formatted(version, offset));
    }

    private static Optional<ByteBuffer> read(BufferedFile.Part part, int skip, int length) throws IOException {
        ByteBuffer stored = ByteBuffer.allocate(part.extent().storedLength());
        // A channel of its own: an interrupted reader closes it, and must not close the buffer's.
        try (FileChannel channel = FileChannel.open(part.segment().path(), StandardOpenOption.READ)) {
            while (stored.hasRemaining()) {
                if (channel.read(stored, part.extent().blobOffset() + stored.position()) < 0) {
                    throw new java.io.EOFException(part.segment().path() + " is shorter than its index says");
                }
            }
        } catch (NoSuchFileException | ClosedChannelException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return Optional.empty();
        }
        ByteBuffer bytes = ExtentCodec.decode(part.segment().path().toString(), part.extent(), stored.flip());
        return Optional.of(bytes.slice(bytes.position() + skip, Math.min(length, bytes.remaining() - skip)));
    }

    /** Seals, pushes and commits what this process buffers. */
    void flushOwn() throws IOException {
        List<BufferedFile> now = buffer.snapshot();
        buffer.requestRoll();
        try {
            CompletableFuture.allOf(now.stream().map(BufferedFile::committed).toArray(CompletableFuture[]::new))
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new java.io.InterruptedIOException("interrupted while flushing");
        } catch (ExecutionException e) {
            throw new IOException("flush failed: " + e.getCause(), e.getCause());
        }
    }

    @Override
    public void flush() throws IOException {
        flushOwn();
        for (WorkerInfo worker : directory.workers()) {
            if (!worker.worker().equals(shared.worker())) {
                shared.peers().flush(worker.address(), name);
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        for (Loop loop : loops) {
            loop.close();
        }
        commits.close();
        buffer.close();
        index.close();
        store.close();
        directory.close();
    }
}
