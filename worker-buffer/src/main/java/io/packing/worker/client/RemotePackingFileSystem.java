package io.packing.worker.client;

import io.packing.bdt.Bdt;
import io.packing.bdt.Bdts;
import io.packing.bdt.Durability;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerInfo;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.spans.Span;
import io.packing.spans.SpanExports;
import io.packing.spans.Spans;
import io.packing.store.ObjectStore;
import io.packing.store.SpannedObjectStore;
import io.packing.store.StoreOptions;
import io.packing.worker.api.Awaited;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.LeavingException;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.NewFile;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.ReadThrough;
import io.packing.worker.api.SpannedDoor;
import io.packing.worker.api.Writers;
import io.packing.worker.read.BlobPages;
import io.packing.worker.read.FileReader;
import io.packing.worker.read.LocatedInput;
import io.packing.worker.read.PageCache;
import io.packing.worker.read.PageListener;
import io.packing.worker.read.Peers;
import io.packing.worker.read.ReadCaches;
import io.packing.worker.read.ReadMetrics;
import io.packing.worker.read.StoredBytes;
import io.packing.worker.rpc.PeerClient;
import io.packing.worker.rpc.WriteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mount whose files workers in other processes buffer: they are written to one of them, and read from wherever they
 * are.
 */
public final class RemotePackingFileSystem implements PackingFileSystem {
    private static final Logger LOG = LoggerFactory.getLogger(RemotePackingFileSystem.class);

    private final String name;
    private final MountOptions options;
    private final Bdt bdt;
    private final ObjectStore store;
    private final Spans spans;
    private final SpannedDoor door;
    private final PeerClient peers;
    private final Peers readPeers;
    private final WorkerSearch search;
    private final FileReader reader;
    private volatile Optional<WriteStream> stream = Optional.empty();
    /** The one search for a worker that is under way; whoever needs a stream meanwhile shares what it finds. */
    private Optional<CompletableFuture<WriteStream>> searching = Optional.empty();

    private boolean closed;

    /** Opens the store of a mount that is read. It is not called for one that is read through workers. */
    public interface StoreOpener {
        ObjectStore open(StoreOptions options) throws IOException;
    }

    private RemotePackingFileSystem(
            MountOptions options,
            Bdt bdt,
            Optional<ObjectStore> store,
            Writers writers,
            ReadCaches caches,
            Optional<ReadMetrics> metrics)
            throws IOException {
        String location = options.store().location().text();
        this.name = options.mountName();
        this.options = options;
        this.bdt = bdt;
        this.spans = SpanExports.open(options.spans(), "packing-client", LOG::warn);
        this.door = new SpannedDoor(spans, options.spans().paths());
        this.store = SpannedObjectStore.of(store.orElseGet(() -> new UnreadStore(location)), spans);
        this.peers = new PeerClient(options.security(), options.workerTimeout());
        Peers others = peers.reading(options.readPeerTimeout());
        this.readPeers = metrics.isPresent() ? metrics.get().counting(others) : others;
        // Not RandomGenerator.getDefault(): an Alluxio extension's class loader does not find it.
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        this.search = new WorkerSearch(
                location,
                this::staying,
                writers,
                (address, timeout) -> peers.problem(address, name, timeout),
                options.workerTimeout(),
                System::nanoTime,
                random);
        PageListener listener = metrics.isPresent() ? metrics.get() : new PageListener() {};
        BlobPages pages;
        try {
            pages = caches.open(options, this.store, listener);
        } catch (IOException e) {
            // Nobody else will: there is no mount.
            spans.close();
            peers.close();
            throw e;
        }
        StoredBytes stored = new WorkerReads(
                name,
                bdt::workers,
                writers,
                readPeers,
                options.workerTimeout(),
                System::nanoTime,
                Thread::sleep,
                random);
        LocatedInput.OwnBuffer nothing = (version, offset, length) -> Optional.empty();
        this.reader = new FileReader(bdt, name, pages, nothing, readPeers, stored, store.isPresent());
    }

    /** Opens a mount that shares what it reads with no other; the store is closed with it, or now if the mount does not read it. */
    public static RemotePackingFileSystem open(Bdts bdts, MountOptions options, ObjectStore store, Writers writers)
            throws IOException {
        RemotePackingFileSystem mount = open(bdts, options, same -> store, writers);
        if (mount.isReadThroughWorkers()) {
            store.close();
        }
        return mount;
    }

    /** Opens a mount that shares what it reads with no other. */
    public static RemotePackingFileSystem open(Bdts bdts, MountOptions options, StoreOpener stores, Writers writers)
            throws IOException {
        return open(bdts, options, stores, writers, new ReadCaches(), Optional.empty());
    }

    /** Opens a mount, which shares what it reads with others of the same store. */
    public static RemotePackingFileSystem open(
            Bdts bdts, MountOptions options, StoreOpener stores, Writers writers, ReadCaches caches)
            throws IOException {
        return open(bdts, options, stores, writers, caches, Optional.empty());
    }

    /**
     * Opens a mount that shares what it reads with no other, and measures its reads.
     *
     * @param metrics the store tells them of its requests already
     */
    public static RemotePackingFileSystem open(
            Bdts bdts, MountOptions options, StoreOpener stores, Writers writers, ReadMetrics metrics)
            throws IOException {
        return open(bdts, options, stores, writers, new ReadCaches(), Optional.of(metrics));
    }

    private static RemotePackingFileSystem open(
            Bdts bdts,
            MountOptions options,
            StoreOpener stores,
            Writers writers,
            ReadCaches caches,
            Optional<ReadMetrics> metrics)
            throws IOException {
        Bdt bdt = bdts.open(options.raw());
        Optional<ObjectStore> store = Optional.empty();
        try {
            boolean readsBlobs = options.readThrough() == ReadThrough.STORE && !bdt.withholdsPlaces();
            store = readsBlobs ? Optional.of(stores.open(options.store())) : Optional.empty();
            return new RemotePackingFileSystem(options.toldBy(bdt.options()), bdt, store, writers, caches, metrics);
        } catch (IOException | RuntimeException e) {
            store.ifPresent(ObjectStore::close);
            bdt.close();
            throw e;
        }
    }

    /** Returns whether workers read all blobs for this mount, which has no store then. */
    public boolean isReadThroughWorkers() {
        return !reader.readsBlobs();
    }

    @Override
    public Bdt bdt() {
        return bdt;
    }

    MountOptions options() {
        return options;
    }

    /** Returns what a closed file survives: as this client names it, or as the mount has it. */
    public Durability durability() {
        return options.durability();
    }

    /**
     * Writes a whole file of at most {@link Extent#MAX_LENGTH} bytes; files written at the same time travel together.
     * The bytes are not copied: they must stay as they are until the future is done. Waits while 64 MiB are under way, so it
     * must not be called by what completes such a future.
     * The future ends with the exceptions of {@link #create}, or with {@link UnavailableException} when the worker was
     * lost: then the file may be stored or not, and writing it again with overwriting is safe.
     */
    public CompletableFuture<FileVersion> put(FilePath path, ByteBuffer bytes, CreateOptions createOptions) {
        if (bytes.remaining() > Extent.MAX_LENGTH) {
            throw new IllegalArgumentException("%s: %d bytes are more than %d; create it and write"
                    .formatted(path, bytes.remaining(), Extent.MAX_LENGTH));
        }
        try {
            path.checkCreatable();
            return stream()
                    .put(path, bytes, createOptions)
                    .exceptionallyCompose(failure -> elsewhere(failure, path, bytes, createOptions));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Writes whole files, as {@link #put}, of which nobody waits for one alone: they travel together however few others are under way.
     *
     * @throws IOException when no worker takes files
     */
    public List<CompletableFuture<FileVersion>> putAll(List<NewFile> files) throws IOException {
        WriteStream to = stream();
        List<Span> closes = files.stream().map(file -> door.closed(file.path())).toList();
        List<CompletableFuture<FileVersion>> sent = to.putAll(files, closes);
        List<CompletableFuture<FileVersion>> all = new ArrayList<>(files.size());
        for (int i = 0; i < files.size(); i++) {
            NewFile file = files.get(i);
            CompletableFuture<FileVersion> stored = sent.get(i)
                    .exceptionallyCompose(failure -> elsewhere(failure, file.path(), file.bytes(), file.options()));
            all.add(SpannedDoor.until(closes.get(i), stored));
        }
        return all;
    }

    /** A worker that leaves has not stored the file: the next one takes it. */
    private CompletableFuture<FileVersion> elsewhere(
            Throwable failure, FilePath path, ByteBuffer bytes, CreateOptions createOptions) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        // Not on the thread that brings answers: to look for another worker waits for some.
        return cause instanceof LeavingException
                ? CompletableFuture.completedFuture(path).thenComposeAsync(again -> put(again, bytes, createOptions))
                : CompletableFuture.failedFuture(cause);
    }

    /** The workers that take a file which does not fit in memory: each time it is asked another one, as long as there is one. */
    LargeFile.Ways ways(FilePath path, CreateOptions createOptions) {
        return new LargeFile.Ways() {
            private Optional<WriteStream> before = Optional.empty();

            @Override
            public LargeFile.Way open() throws IOException {
                // Its worker refused this file, whatever the master has heard of that.
                before.ifPresent(WriteStream::leave);
                WriteStream now = stream();
                if (!stays(now.address())) {
                    now.leave();
                    now = stream();
                }
                before = Optional.of(now);
                return LargeFile.way(peers.create(now.address(), name, path, createOptions));
            }
        };
    }

    private boolean stays(String address) throws IOException {
        return staying().stream().anyMatch(worker -> worker.address().equals(address));
    }

    /** The workers that take files. */
    private List<WorkerInfo> staying() throws IOException {
        return bdt.workers().stream().filter(worker -> !worker.leaving()).toList();
    }

    @Override
    public PackingOutput create(FilePath path, CreateOptions createOptions) throws IOException {
        path.checkCreatable();
        return door.create(path, () -> new RemoteOutput(this, path, createOptions));
    }

    /** What is cached of the store's blobs. */
    public PageCache cache() {
        return reader.pages().cache();
    }

    /** The store's blobs in pages, as this mount reads them. */
    public BlobPages pages() {
        return reader.pages();
    }

    @Override
    public PackingInput open(FilePath path) throws IOException {
        return door.open(path, () -> reader.open(path));
    }

    @Override
    public PackingInput open(LocatedFile file) {
        return reader.open(file);
    }

    /**
     * {@inheritDoc}
     *
     * @throws UnreachedWorkersException naming the workers that are gone and hold files; what the others hold is durable
     */
    @Override
    public void flush() throws IOException {
        Map<String, Long> gone = door.call("flush", FilePath.ROOT, this::flushLive);
        if (!gone.isEmpty()) {
            throw new UnreachedWorkersException(gone);
        }
    }

    /** Flushes the workers that are alive; returns how many files each of the others holds, which no flush can reach. */
    public Map<String, Long> flushLive() throws IOException {
        // All at once with their next heartbeats, while they are waited for one by one.
        bdt.sealNow();
        for (WorkerInfo worker : bdt.workers()) {
            readPeers.flush(worker.address(), name);
        }
        return bdt.statistics().bufferedFiles() == 0 ? Map.of() : BufferedOwners.gone(bdt);
    }

    /** The stream to the worker, another one when it broke. */
    private WriteStream stream() throws IOException {
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
        WriteStream opened = peers.writes(address, name, options.durability() == Durability.UPLOADED);
        stream = Optional.of(opened);
        return opened;
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("the mount is closed");
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        search.close();
        stream.ifPresent(WriteStream::close);
        peers.close();
        reader.close();
        store.close();
        bdt.close();
        spans.close();
    }
}
