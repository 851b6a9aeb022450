package io.packing.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.Durability;
import io.packing.bdt.WorkerInfo;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.sorted.SortedStore;
import io.packing.store.ObjectStore;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.CreateRefusal;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.buffer.Appender;
import io.packing.worker.buffer.BufferLimits;
import io.packing.worker.buffer.BufferSegment;
import io.packing.worker.buffer.BufferedFile;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.buffer.SliceWriter;
import io.packing.worker.pack.BlobClock;
import io.packing.worker.pack.Commits;
import io.packing.worker.pack.LocalBdt;
import io.packing.worker.pack.Packer;
import io.packing.worker.read.BlobPages;
import io.packing.worker.read.FileReader;
import io.packing.worker.read.Peers;
import io.packing.worker.rpc.PeerClient;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A mount whose files this process buffers. */
final class LocalMount implements PackingFileSystem {
    private static final Duration FULL_TIMEOUT = Duration.ofMinutes(10);
    /** Packing threads are woken when there is work; this is for work that was put off, such as for too many commits. */
    private static final long IDLE_MILLIS = 1_000;

    private static final long FLUSH_CHECK_MILLIS = 1_000;

    /** What a mount shares with the other mounts of its process. */
    record Shared(
            WorkerRegistration registration,
            SortedStore localBdt,
            BlobClock blobClock,
            PeerClient peers,
            Clock clock,
            MeterRegistry metrics) {
        String worker() {
            return registration.worker();
        }
    }

    private final String name;
    private final MountOptions options;
    private final Bdt bdt;
    private final ObjectStore store;
    private final Shared shared;
    private final BufferStores stores;
    private final FileBuffer buffer;
    private final Appender appender;
    private final Commits commits;
    private final MountMetrics metrics;
    private final Peers peers;
    private final FileReader reader;
    private final MountThreads threads;
    private boolean closed;

    private LocalMount(
            String name,
            MountOptions options,
            Bdt bdt,
            ObjectStore store,
            Shared shared,
            BufferStores stores,
            FileBuffer buffer,
            Commits commits,
            MountMetrics metrics) {
        this.name = name;
        this.options = options;
        this.bdt = bdt;
        this.store = store;
        this.shared = shared;
        this.stores = stores;
        this.buffer = buffer;
        this.commits = commits;
        this.metrics = metrics;
        this.appender = new Appender(buffer, commits::together);
        BlobPages pages = new BlobPages(
                store, MountOptions.BLOBS, options.readCacheBytes(), options.readWindowMaxBytes(), metrics);
        this.peers = metrics.counting(shared.peers().reading(options.readPeerTimeout()));
        this.reader = new FileReader(bdt, name, pages, this::readOwn, peers);
        this.threads = new MountThreads(options.store().location().text(), why -> {
            appender.stop(why);
            buffer.uploads().halt(() -> new IOException(why.getMessage(), why));
        });
        metrics.watch(buffer, commits);
    }

    static LocalMount open(
            String name,
            MountOptions options,
            Bdt bdt,
            ObjectStore store,
            Path home,
            Shared shared,
            MountMetrics metrics)
            throws IOException {
        Path segments = home.resolve("segments");
        Path scratch = Files.createDirectories(home.resolve("scratch"));
        BufferStores stores = BufferStores.open(home, options.engine(), options.values());
        try {
            // Now that the stores say that nobody else uses the directory.
            deleteLeftBehind(scratch);
            FileBuffer buffer = FileBuffer.open(segments, limits(options), stores.stores(), System::nanoTime);
            try {
                return open(name, options, bdt, store, scratch, shared, stores, buffer, metrics);
            } catch (IOException | RuntimeException e) {
                buffer.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            stores.close();
            throw e;
        }
    }

    /** Blobs that an earlier process was copying when it ended: the files in them are still in the buffer. */
    private static void deleteLeftBehind(Path scratch) throws IOException {
        try (Stream<Path> files = Files.list(scratch)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    private static BufferLimits limits(MountOptions options) {
        return new BufferLimits(
                options.bufferMaxBytes(),
                options.blobMaxBytes(),
                // Other policies choose among all that is rolled: the more, the better.
                options.policy().policy().keepsArrivalOrder() ? options.sealIdleBytes() : 0,
                options.sealAfter(),
                FULL_TIMEOUT,
                options.uploadGather(),
                options.durability());
    }

    private static LocalMount open(
            String name,
            MountOptions options,
            Bdt bdt,
            ObjectStore store,
            Path scratch,
            Shared shared,
            BufferStores stores,
            FileBuffer buffer,
            MountMetrics metrics)
            throws IOException {
        LocalBdt localBdt = LocalBdt.open(shared.localBdt(), name);
        Commits commits = Commits.start(bdt, shared.registration(), buffer, localBdt);
        LocalMount mount = new LocalMount(name, options, bdt, store, shared, stores, buffer, commits, metrics);
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
        threads.start("packing-append-" + name, appender::step).finishingItsStep();
        for (int i = 0; i < options.threads(); i++) {
            threads.start("packing-pack-%s-%d".formatted(name, i), () -> {
                long seen = buffer.selection().changes();
                // What a fenced worker pushes, nobody might ever need.
                if (commits.isFenced() || !packer.step()) {
                    buffer.selection().awaitWork(seen, IDLE_MILLIS);
                }
            });
        }
        threads.start("packing-heartbeat-" + name, () -> {
            commits.awaitBeat();
            commits.step();
        });
    }

    boolean isFenced() {
        return commits.isFenced();
    }

    /** What keeps it from its work, beside being fenced. */
    Optional<String> problem() {
        return threads.problem();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public Bdt bdt() {
        return bdt;
    }

    MountOptions options() {
        return options;
    }

    WorkerSession session() throws IOException {
        threads.check();
        return commits.session();
    }

    SliceWriter slices(long fileId, FilePath path) {
        return new SliceWriter(buffer, fileId, path, options.compression());
    }

    /**
     * Buffers and claims a whole small file; done when it is as durable as the mount asks. May wait for room. The bytes
     * must not change until then.
     */
    CompletableFuture<FileVersion> put(FilePath path, CreateOptions create, ByteBuffer bytes, Appender.Writer writer)
            throws IOException {
        if (bytes.remaining() > options.spillBytes()) {
            throw new IllegalArgumentException(
                    "%s: %d bytes are too many for one piece".formatted(path, bytes.remaining()));
        }
        FileAttributes attributes = attributes(create, bytes.remaining());
        BufferedFile file =
                appender.append(session().newFileId(), path, attributes, options.compression(), bytes, writer);
        // The bytes first: a claim may replace an older file, and must never do so for bytes that could be lost.
        return file.appended()
                .whenComplete((done, failed) -> {
                    if (failed != null) {
                        buffer.drop(file);
                    }
                })
                .thenCompose(done -> admit(file, create))
                .whenComplete((done, failed) -> appender.answered());
    }

    FileAttributes attributes(CreateOptions create, long length) {
        return new FileAttributes(length, shared.clock().millis(), create.owner(), create.group(), create.mode());
    }

    /** Claims a file whose bytes are in the buffer. */
    CompletableFuture<FileVersion> admit(BufferedFile file, CreateOptions create) {
        Claim wanted = new Claim(
                file.id(),
                file.path(),
                file.attributes(),
                create.createParents(),
                create.overwrite(),
                options.durability() == Durability.UPLOADED);
        return commits.claim(wanted)
                .whenComplete((result, failed) -> {
                    if (failed != null) {
                        buffer.doubt(file);
                    }
                })
                .thenCompose(result -> answered(file, result));
    }

    private CompletableFuture<FileVersion> answered(BufferedFile file, ClaimResult result) {
        if (result instanceof ClaimResult.Refused refused) {
            buffer.drop(file);
            return CompletableFuture.failedFuture(CreateRefusal.of(file.path(), refused.reason()));
        }
        FileVersion version = ((ClaimResult.Granted) result).version();
        buffer.granted(file, version.generation());
        return uploaded(file, version);
    }

    private CompletableFuture<FileVersion> uploaded(BufferedFile file, FileVersion version) {
        if (options.durability() != Durability.UPLOADED) {
            return CompletableFuture.completedFuture(version);
        }
        buffer.requestUpload();
        return buffer.uploads().of(file).thenApply(done -> version);
    }

    @Override
    public PackingOutput create(FilePath path, CreateOptions createOptions) throws IOException {
        path.checkCreatable();
        // A fenced worker says so before anything is written.
        Objects.requireNonNull(session());
        return new LocalOutput(this, path, createOptions);
    }

    @Override
    public PackingInput open(FilePath path) throws IOException {
        return reader.open(path);
    }

    /** Bytes of a file that this process buffers; empty when it does not. */
    Optional<ByteBuffer> readOwn(FileVersion version, long offset, int length) throws IOException {
        Optional<BufferedFile> file = buffer.find(version.id());
        if (file.isEmpty()) {
            return Optional.empty();
        }
        if (!file.get().appended().isDone()) {
            // Claims follow their bytes, so nobody can have been sent here for it.
            return Optional.empty();
        }
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
        ByteBuffer stored;
        try {
            stored = part.segment().readAlone(part.extent());
        } catch (NoSuchFileException | ClosedChannelException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw e;
            }
            return Optional.empty();
        }
        ByteBuffer bytes = ExtentCodec.decode(part.segment().toString(), part.extent(), stored);
        return Optional.of(bytes.slice(bytes.position() + skip, Math.min(length, bytes.remaining() - skip)));
    }

    /** Seals, pushes and commits what this process buffers. */
    void flushOwn() throws IOException {
        List<BufferSegment> contents = buffer.contents();
        try {
            do {
                // Again each time: files whose claim was under way are in a later segment's turn.
                buffer.requestRoll();
                threads.check();
                if (isClosed() || commits.isFenced()) {
                    throw new IOException("mount %s ended while it was flushed".formatted(name));
                }
            } while (!buffer.awaitGone(contents, FLUSH_CHECK_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while flushing");
        }
    }

    @Override
    public void flush() throws IOException {
        flushOwn();
        for (WorkerInfo worker : bdt.workers()) {
            if (!worker.worker().equals(shared.worker())) {
                peers.flush(worker.address(), name);
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        threads.close();
        appender.close();
        commits.close();
        buffer.uploads()
                .halt(() -> new IOException(
                        "mount %s was closed before the file was uploaded; it stays in the buffer, and the next start uploads it"
                                .formatted(name)));
        metrics.close();
        buffer.close();
        stores.close();
        store.close();
        bdt.close();
    }
}
