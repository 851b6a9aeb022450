// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.micrometer.core.instrument.MeterRegistry;
import io.packing.bdt.Bdt;
import io.packing.bdt.Bdts;
import io.packing.bdt.DedupMode;
import io.packing.bdt.Durability;
import io.packing.bdt.MountHomes;
import io.packing.bdt.WorkerRegistration;
import io.packing.durable.OwnerOnly;
import io.packing.encryption.DataKeys;
import io.packing.encryption.Keystore;
import io.packing.spans.SpanExports;
import io.packing.spans.Spans;
import io.packing.store.HomesStore;
import io.packing.store.ObjectStore;
import io.packing.store.SpannedObjectStore;
import io.packing.store.StoreOptions;
import io.packing.worker.api.BufferValues;
import io.packing.worker.api.Compression;
import io.packing.worker.api.EncryptionOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PlacedStores;
import io.packing.worker.buffer.Appender;
import io.packing.worker.buffer.BufferLimits;
import io.packing.worker.buffer.FileBuffer;
import io.packing.worker.pack.ActiveWork;
import io.packing.worker.pack.ActivityMeter;
import io.packing.worker.pack.BeatNews;
import io.packing.worker.pack.BlobClock;
import io.packing.worker.pack.BlobPusher;
import io.packing.worker.pack.CopyWork;
import io.packing.worker.pack.MasterSession;
import io.packing.worker.pack.Packer;
import io.packing.worker.pack.PushAhead;
import io.packing.worker.pack.PushPlaces;
import io.packing.worker.pack.ScratchFiles;
import io.packing.worker.pack.WorkerLocalBdt;
import io.packing.worker.read.BlobPages;
import io.packing.worker.read.FileReader;
import io.packing.worker.read.Peers;
import io.packing.worker.rpc.PeerNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A factory of mounts, which recover the files that an earlier process buffered for them. It wires them, and starts no
 * threads.
 */
final class MountFactory {
    private static final Logger LOG = LoggerFactory.getLogger(MountFactory.class);
    private static final Duration FULL_TIMEOUT = Duration.ofMinutes(10);
    /** The memory for slices of all files that clients write to a mount; beyond it they go to the disk. */
    private static final int SLICES_IN_MEMORY = 64 << 20;

    /**
     * The connections of a worker to its master, stores and peers.
     *
     * @param bdts the master
     * @param stores the backing stores
     * @param peers other workers
     */
    record Network(Bdts bdts, PackingWorker.StoreOpener stores, PeerNetwork.Client peers) {}

    private final WorkerDirectory directory;
    private final BlobClock blobClock;
    private final Network network;
    private final Supplier<WorkerRegistration> registration;
    private final WorkerPlatform environment;
    private final MeterRegistry metrics;
    private final IntSupplier statusPort;

    /**
     * @param blobClock names the blobs of all mounts
     * @param registration of this worker, asked when a mount is opened
     * @param statusPort of the worker's status page; 0: none
     */
    MountFactory(
            WorkerDirectory directory,
            BlobClock blobClock,
            Network network,
            Supplier<WorkerRegistration> registration,
            WorkerPlatform environment,
            MeterRegistry metrics,
            IntSupplier statusPort) {
        this.directory = directory;
        this.blobClock = blobClock;
        this.network = network;
        this.registration = registration;
        this.environment = environment;
        this.metrics = metrics;
        this.statusPort = statusPort;
    }

    /** Opens a mount that its caller starts or steps, and closes. */
    LocalMount open(MountOptions named) throws IOException {
        String location = named.store().location().text();
        WorkerRegistration me = registration.get();
        MountMetrics counts = new MountMetrics(metrics, location);
        try (Opening opening = new Opening()) {
            Spans spans = opening.closing(SpanExports.open(named.spans(), "packing-worker", LOG::warn), Spans::close);
            Keystore keystore = opening.closing(named.encryption().open(), Keystore::close);
            // The key is tried at once: a wrong name of a key fails here, before the master makes the mount.
            Optional<DataKeys> tried = keys(named, keystore);
            Bdt bdt = opening.closing(network.bdts().open(named.raw()), Bdt::close);
            MountOptions options = told(named, bdt);
            // After the master: a mount that was evacuated keeps its name, and this worker its files.
            String name = options.mountName();
            Path home = directory.mount(options);
            Optional<DataKeys> keys = tried.isPresent() ? tried : keys(options, keystore);
            HomesStore objects = opening.closing(
                    PlacedStores.open(
                            bdt,
                            options,
                            store -> SpannedObjectStore.of(network.stores().open(store, counts.reads()), spans)),
                    ObjectStore::close);
            BufferStores stores = opening.closing(
                    BufferStores.open(
                            environment.tables(),
                            home,
                            options.buffer().engine(),
                            options.buffer().values()),
                    BufferStores::close);
            // The stores are open, so no other process uses the directory now.
            Path folder = emptied(home.resolve("scratch"));
            ScratchFiles scratch = opening.closing(
                    new ScratchFiles(folder, stores.stores().keptFreeBytes(), environment.nanos()),
                    ScratchFiles::close);
            FileBuffer buffer = opening.closing(
                    FileBuffer.open(
                            home.resolve("segments"),
                            limits(options),
                            stores.stores(),
                            environment.nanos(),
                            environment.random()),
                    FileBuffer::close);
            ActivityMeter activity =
                    new ActivityMeter(environment.wall().millis(), counts.requests(), buffer, statusPort);
            CopyWork copies = new CopyWork(objects, keystore, keys, scratch);
            MasterSession masterSession = MasterSession.open(
                    bdt,
                    me,
                    buffer,
                    WorkerLocalBdt.open(directory.localBdt(), name),
                    activity,
                    new BeatNews(new PushPlaces(objects, bdt, blobClock), copies));
            copies.tellNews(masterSession::kick);
            Appender appender = new Appender(buffer, masterSession::together, environment.scheduling());
            ActiveWork activeWork = new ActiveWork(environment.nanos(), counts.requests(), spans);
            Optional<Deduplication> deduplication = options.write().dedup() == DedupMode.FILE
                    ? Optional.of(deduplication(masterSession, buffer, counts))
                    : Optional.empty();
            // Before the master learns of the push: then the buffer forgets the bytes.
            BlobPusher pusher = new BlobPusher(
                    me.worker(),
                    objects,
                    blobClock,
                    activeWork,
                    metrics,
                    keystore,
                    () -> deduplication.ifPresent(Deduplication::hashAll));
            Packer packer =
                    new Packer(buffer, rule(options, keys), scratch, pusher, masterSession, activeWork, metrics);
            Optional<PushAhead> ahead = pushesAhead(options, keys)
                    ? Optional.of(new PushAhead(
                            buffer,
                            options.pack().blobMaxBytes(),
                            options.pack().push().ahead(),
                            pusher,
                            masterSession,
                            activeWork,
                            environment.nanos(),
                            metrics))
                    : Optional.empty();
            MountThreads threads = new MountThreads(location, why -> {
                deduplication.ifPresent(files -> files.stop(why));
                appender.stop(why);
                buffer.uploads().halt(() -> new IOException(why.getMessage(), why));
            });
            FileReader reader = opening.closing(reader(options, bdt, objects, buffer, counts), FileReader::close);
            counts.watch(buffer, masterSession);
            counts.watch(reader.pages().cache());
            counts.watch(spans);
            LocalMount mount = new LocalMount(
                    me.worker(),
                    options,
                    bdt,
                    new LocalMount.Resources(buffer, stores, objects, keystore, counts, spans),
                    new MountWork(deduplication, appender, packer, ahead, copies, masterSession, activeWork, threads),
                    new FileAdmission(
                            options,
                            buffer,
                            appender,
                            masterSession,
                            threads,
                            deduplication,
                            activeWork.sampled(),
                            environment.wall(),
                            new Semaphore(SLICES_IN_MEMORY)),
                    reader,
                    environment.nanos());
            opening.done();
            return mount;
        }
    }

    private Deduplication deduplication(MasterSession masterSession, FileBuffer buffer, MountMetrics counts) {
        Deduplication.Master master = Deduplication.Master.of(masterSession);
        OwnFiles own = new OwnFiles(buffer);
        LateHashing late =
                new LateHashing(master, version -> own.read(version, 0, Integer.MAX_VALUE), environment.nanos());
        return new Deduplication(master, late, counts::deduplicated);
    }

    private FileReader reader(
            MountOptions options, Bdt bdt, ObjectStore objects, FileBuffer buffer, MountMetrics counts)
            throws IOException {
        BlobPages pages = environment.caches().open(options, objects, counts.reads());
        Peers others = counts.reads()
                .counting(network.peers().reading(options.timeouts().readPeer()));
        return new FileReader(bdt, options.mountName(), pages, new OwnFiles(buffer), others);
    }

    /**
     * Empties the folder of blobs that an earlier process was copying when it ended; the buffer still has the files in
     * them.
     */
    private static Path emptied(Path scratch) throws IOException {
        Path unused = OwnerOnly.directory(scratch);
        try (Stream<Path> files = Files.list(scratch)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        return scratch;
    }

    private static BufferLimits limits(MountOptions options) {
        return new BufferLimits(
                options.buffer().maxBytes(),
                options.pack().blobMaxBytes(),
                // Other policies choose among all rolled segments: the more they have, the better.
                options.pack().policy().policy().keepsArrivalOrder()
                        ? options.pack().push().idleBytes()
                        : 0,
                options.pack().seal(),
                FULL_TIMEOUT,
                options.pack().gather(),
                options.write().durability());
    }

    /** Returns whether blobs are made in one pass, in arrival order, and are not pushed early for another reason. */
    private static boolean pushesAhead(MountOptions options, Optional<DataKeys> keys) {
        return !options.pack().push().ahead().isZero()
                && options.pack().push().idleBytes() == 0
                && options.pack().policy().policy().keepsArrivalOrder()
                && options.buffer().values() == BufferValues.SEGMENT
                && options.write().compression() != Compression.ZSTD
                && options.write().durability() != Durability.UPLOADED
                && keys.isEmpty();
    }

    private static Packer.Rule rule(MountOptions options, Optional<DataKeys> keys) {
        return new Packer.Rule(
                options.pack().policy().policy(),
                options.pack().blobMaxBytes(),
                options.write().compression(),
                keys);
    }

    private Optional<DataKeys> keys(MountOptions options, Keystore keystore) throws IOException {
        if (!options.encryption().encrypts()) {
            return Optional.empty();
        }
        DataKeys keys = new DataKeys(keystore, options.encryption().key(), environment.nanos());
        keys.check();
        return Optional.of(keys);
    }

    /** Adds the mount's options for all its workers where the worker's own options set none. */
    private static MountOptions told(MountOptions named, Bdt bdt) throws IOException {
        MountHomes homes = bdt.homes(false);
        MountOptions options = named.toldBy(bdt.options());
        if (!homes.isUsual()) {
            options = options.calledAt(StoreOptions.from(Map.of(StoreOptions.STORE.key(), homes.called()))
                    .location()
                    .text());
        }
        String key = bdt.encryptionKey();
        if (key.isEmpty() || named.encryption().encrypts()) {
            return options;
        }
        if (named.encryption().keystore().isEmpty()) {
            throw new IllegalArgumentException(
                    "%s is encrypted with key %s, and this worker would write in plain: say in %s where that key is"
                            .formatted(named.store().location().text(), key, EncryptionOptions.KEYSTORE.key()));
        }
        return options.encryptedBy(key);
    }
}
