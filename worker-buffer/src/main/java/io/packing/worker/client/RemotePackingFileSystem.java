// SPDX-License-Identifier: Apache-2.0
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
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.LeavingException;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.NewFile;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.PlacedStores;
import io.packing.worker.api.ReadPath;
import io.packing.worker.api.TracedMount;
import io.packing.worker.api.Writers;
import io.packing.worker.read.BlobPages;
import io.packing.worker.read.FileReader;
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
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A mount whose files workers in other processes buffer: the client writes a file to one, and reads it where it is. */
public final class RemotePackingFileSystem implements PackingFileSystem {
    private static final Logger LOG = LoggerFactory.getLogger(RemotePackingFileSystem.class);

    private final String name;
    private final MountOptions options;
    private final Bdt bdt;
    private final ObjectStore store;
    private final Spans spans;
    private final TracedMount door;
    private final PeerClient peers;
    private final Peers readPeers;
    private final ChosenWorker worker;
    private final FileReader reader;
    private boolean closed;

    /** The opener of the store of a mount. A mount that reads through workers does not call it. */
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
        this.door = new TracedMount(spans, options.spans().paths());
        this.store = SpannedObjectStore.of(store.orElseGet(() -> new UnreadStore(location)), spans);
        this.peers = new PeerClient(options.security(), options.timeouts().worker());
        Peers others = peers.reading(options.timeouts().readPeer());
        this.readPeers = metrics.isPresent() ? metrics.get().counting(others) : others;
        // Not RandomGenerator.getDefault(): the class loader of an Alluxio extension does not find it.
        RandomGenerator random = () -> ThreadLocalRandom.current().nextLong();
        WorkerSearch search = new WorkerSearch(
                location,
                this::staying,
                writers,
                (address, timeout) -> peers.problem(address, name, timeout),
                options.timeouts().worker(),
                System::nanoTime,
                random);
        this.worker = new ChosenWorker(search, (address, uploaded) -> peers.writes(address, name, uploaded));
        PageListener listener = metrics.isPresent() ? metrics.get() : new PageListener() {};
        BlobPages pages;
        try {
            pages = caches.open(options, this.store, listener);
        } catch (IOException e) {
            // Close them here, since no mount exists that would.
            spans.close();
            peers.close();
            throw e;
        }
        StoredBytes stored = new WorkerReads(
                name,
                bdt::workers,
                writers,
                readPeers,
                options.timeouts().worker(),
                System::nanoTime,
                Thread::sleep,
                random);
        this.reader = new FileReader(
                bdt, name, pages, (of, at, length) -> Optional.empty(), readPeers, stored, store.isPresent());
    }

    /** Opens a mount with read caches of its own; the store is closed with it, or now if the mount does not read it. */
    public static RemotePackingFileSystem open(Bdts bdts, MountOptions options, ObjectStore store, Writers writers)
            throws IOException {
        RemotePackingFileSystem mount = open(bdts, options, same -> store, writers);
        if (mount.isReadThroughWorkers()) {
            store.close();
        }
        return mount;
    }

    /** Opens a mount with read caches of its own. */
    public static RemotePackingFileSystem open(Bdts bdts, MountOptions options, StoreOpener stores, Writers writers)
            throws IOException {
        return open(bdts, options, stores, writers, new ReadCaches(), Optional.empty());
    }

    /** Opens a mount that shares read caches with other mounts of its store. */
    public static RemotePackingFileSystem open(
            Bdts bdts, MountOptions options, StoreOpener stores, Writers writers, ReadCaches caches)
            throws IOException {
        return open(bdts, options, stores, writers, caches, Optional.empty());
    }

    /**
     * Opens a mount with read caches of its own, and measures its reads.
     *
     * @param metrics that the store reports its requests to already
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
            boolean readsBlobs = options.read().through() == ReadPath.STORE && !bdt.withholdsPlaces();
            store = readsBlobs ? Optional.of(PlacedStores.open(bdt, options, stores::open)) : Optional.empty();
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

    /** Returns the durability of a closed file: this client's option, or the mount's. */
    public Durability durability() {
        return options.write().durability();
    }

    /**
     * Writes a whole file of at most {@link Extent#MAX_LENGTH} bytes; concurrent files share messages. It does not copy
     * the bytes: the caller must not change them until the future is done. It waits while 64 MiB are under way, so the
     * completion of such a future must not call it. The future fails with the exceptions of {@link #create}, or with
     * {@link UnavailableException} when the worker was lost. Then the file may be stored or not, and the client may
     * safely write it again with overwriting.
     */
    public CompletableFuture<FileVersion> put(FilePath path, ByteBuffer bytes, CreateOptions createOptions) {
        if (bytes.remaining() > Extent.MAX_LENGTH) {
            throw new IllegalArgumentException("%s: %d bytes are more than %d; create it and write"
                    .formatted(path, bytes.remaining(), Extent.MAX_LENGTH));
        }
        try {
            path.checkCreatable();
            CreateOptions kept = kept(path, createOptions);
            return worker.streamOf(kept)
                    .put(path, bytes, kept)
                    .exceptionallyCompose(failure -> elsewhere(failure, path, bytes, kept));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Writes whole files, as {@link #put}; they share messages even if few others are under way.
     *
     * @throws IOException when no worker takes files
     */
    public List<CompletableFuture<FileVersion>> putAll(List<NewFile> wanted) throws IOException {
        // Without a worker no span begins.
        WriteStream unused = worker.stream();
        List<NewFile> files = wanted.stream().map(this::kept).toList();
        List<Span> closes = files.stream().map(file -> door.closed(file.path())).toList();
        List<CompletableFuture<FileVersion>> sent = send(files, closes);
        List<CompletableFuture<FileVersion>> all = new ArrayList<>(files.size());
        for (int i = 0; i < files.size(); i++) {
            NewFile file = files.get(i);
            CompletableFuture<FileVersion> stored = sent.get(i)
                    .exceptionallyCompose(failure -> elsewhere(failure, file.path(), file.bytes(), file.options()));
            all.add(TracedMount.until(closes.get(i), stored));
        }
        return all;
    }

    private List<CompletableFuture<FileVersion>> send(List<NewFile> files, List<Span> closes) throws IOException {
        SortedMap<Integer, CompletableFuture<FileVersion>> sent = new TreeMap<>();
        for (boolean uploaded : new boolean[] {false, true}) {
            List<Integer> these = IntStream.range(0, files.size())
                    .filter(i -> files.get(i).options().uploaded() == uploaded)
                    .boxed()
                    .toList();
            if (!these.isEmpty()) {
                WriteStream to = worker.streamOf(files.get(these.get(0)).options());
                List<CompletableFuture<FileVersion>> results = to.putAll(
                        these.stream().map(files::get).toList(),
                        these.stream().map(closes::get).toList());
                for (int i = 0; i < results.size(); i++) {
                    sent.put(these.get(i), results.get(i));
                }
            }
        }
        return List.copyOf(sent.values());
    }

    /** Gives a file that a leaving worker refused to the next one; other failures stay. */
    private CompletableFuture<FileVersion> elsewhere(
            Throwable failure, FilePath path, ByteBuffer bytes, CreateOptions createOptions) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        // Not on the thread that brings answers: the search for another worker waits for some.
        return cause instanceof LeavingException
                ? CompletableFuture.completedFuture(path).thenComposeAsync(again -> put(again, bytes, createOptions))
                : CompletableFuture.failedFuture(cause);
    }

    /**
     * Returns the workers that take a file too large for memory: each call opens a way to another worker, as long as
     * one is left.
     */
    LargeFile.WorkerStreams ways(FilePath path, CreateOptions createOptions) {
        return new LargeFile.WorkerStreams() {
            private Optional<WriteStream> before = Optional.empty();

            @Override
            public LargeFile.WorkerStream open() throws IOException {
                // Its worker refused this file, even if the master does not know yet that it leaves.
                before.ifPresent(WriteStream::leave);
                WriteStream now = worker.stream();
                if (!stays(now.address())) {
                    now.leave();
                    now = worker.stream();
                }
                before = Optional.of(now);
                return LargeFile.way(peers.create(now.address(), name, path, createOptions));
            }
        };
    }

    private boolean stays(String address) throws IOException {
        return staying().stream().anyMatch(worker -> worker.address().equals(address));
    }

    /** Returns the workers that take files. */
    private List<WorkerInfo> staying() throws IOException {
        return bdt.workers().stream().filter(worker -> !worker.leaving()).toList();
    }

    @Override
    public PackingOutput create(FilePath path, CreateOptions createOptions) throws IOException {
        path.checkCreatable();
        CreateOptions kept = kept(path, createOptions);
        return door.create(path, () -> new RemoteOutput(this, path, kept));
    }

    @Override
    public boolean isUploaded(FilePath path) {
        return options.write().areUploaded(path);
    }

    /** Returns the options of a file by which its worker keeps what this client promises of it. */
    private CreateOptions kept(FilePath path, CreateOptions asked) {
        return isUploaded(path) ? asked.asUploaded() : asked;
    }

    private NewFile kept(NewFile file) {
        return new NewFile(file.path(), file.bytes(), kept(file.path(), file.options()));
    }

    /** Returns the cache of the store's blobs. */
    public PageCache cache() {
        return reader.pages().cache();
    }

    /** Returns the store's blobs in pages, as this mount reads them. */
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
     * @throws UnreachedWorkersException naming the dead workers that hold files; the files of the others are durable
     */
    @Override
    public void flush() throws IOException {
        Map<String, Long> gone = door.call("flush", FilePath.ROOT, this::flushLive);
        if (!gone.isEmpty()) {
            throw new UnreachedWorkersException(gone);
        }
    }

    /** Flushes the live workers; returns the number of files that each dead worker holds, which no flush can reach. */
    public Map<String, Long> flushLive() throws IOException {
        // All workers seal with their next heartbeats, while this call waits for them one by one.
        bdt.sealNow();
        for (WorkerInfo worker : bdt.workers()) {
            readPeers.flush(worker.address(), name);
        }
        return bdt.statistics().bufferedFiles() == 0 ? Map.of() : BufferedOwners.gone(bdt);
    }

    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        worker.close();
        peers.close();
        reader.close();
        store.close();
        bdt.close();
        spans.close();
    }
}
