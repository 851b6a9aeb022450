package io.packing.bdt.master;

import io.packing.bdt.BdtOptions;
import io.packing.bdt.Durability;
import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.sorted.SortedStore;
import io.packing.store.ObjectStore;
import io.packing.store.StoreAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens mounts: from this master's disk, or from the backing store when the disk does not have them. */
final class MountOpener {
    private static final Logger log = LoggerFactory.getLogger(MountOpener.class);
    private static final long SEGMENT_BYTES = BdtMasterConfig.WRITE_BUFFER_BYTES;

    private final BdtMasterConfig config;
    private final Stores stores;
    private final DataDirectory data;
    private final InstantSource clock;
    private final LongSupplier nanoClock;

    MountOpener(
            BdtMasterConfig config, Stores stores, DataDirectory data, InstantSource clock, LongSupplier nanoClock) {
        this.config = config;
        this.stores = stores;
        this.data = data;
        this.clock = clock;
        this.nanoClock = nanoClock;
    }

    /**
     * A checked wish to open a mount.
     *
     * @param id the mount's name, which depends on its location only
     * @param location as the client writes it
     * @param address where that is
     */
    record Request(String id, String location, StoreAddress address, Map<String, String> raw, Options options) {}

    Request check(Map<String, String> raw) throws IOException {
        // The map holds the worker's options as well; they are the worker's to check.
        Map<String, String> own = new LinkedHashMap<>();
        for (Option<?> option : BdtOptions.OPTIONS) {
            String value = raw.get(option.key());
            if (value != null) {
                own.put(option.key(), value);
            }
        }
        String location = raw.getOrDefault("packing.store", "");
        if (location.isBlank()) {
            throw new IllegalArgumentException(
                    "option packing.store is missing: say where the mount's blobs are, such as"
                            + " s3://bucket/prefix or file:///directory");
        }
        Options options = Options.check(own, "packing.", BdtOptions.OPTIONS);
        StoreAddress address = stores.address(raw);
        String id = DataDirectory.mountId(address.location().text());
        return new Request(id, location, address, raw, options);
    }

    Mount open(Request request) throws IOException {
        ObjectStore objects = stores.objects(request.raw());
        try {
            return open(request, objects);
        } catch (IOException | RuntimeException e) {
            objects.close();
            throw e;
        }
    }

    private Mount open(Request request, ObjectStore objects) throws IOException {
        String id = request.id();
        Path folder = data.mount(id);
        data.rename(DataDirectory.mountId(request.location()), id);
        Optional<Long> known = owned(id, objects);
        long epoch;
        if (known.isPresent()) {
            epoch = known.get();
        } else {
            data.clear(id);
            try (SortedStore fresh = stores.sorted(folder.resolve("table"), config.store())) {
                epoch = new Recovery(id, objects, fresh, folder, clock).run();
            }
            data.ready(id, epoch, objects.location());
        }
        return start(request, objects, folder, epoch);
    }

    /** The epoch of what is on this disk; empty when there is nothing, or another master took the mount over since. */
    private Optional<Long> owned(String id, ObjectStore objects) throws IOException {
        Optional<Long> known = data.epoch(id);
        if (known.isPresent()
                && objects.head(MasterObject.epoch(known.get() + 1).key()).isPresent()) {
            log.warn(
                    "mount {}: another master took over from epoch {}; what is on this disk is older", id, known.get());
            return Optional.empty();
        }
        return known;
    }

    private Mount start(Request request, ObjectStore objects, Path folder, long epoch) throws IOException {
        boolean synced = request.options().get(BdtOptions.DURABILITY) != Durability.BUFFERED;
        Path scratch = Files.createDirectories(folder.resolve("scratch"));
        String id = request.id();
        ExecutorService answers = Executors.newSingleThreadExecutor(task -> new Thread(task, "bdt-answers-" + id));
        SortedStore store = stores.sorted(folder.resolve("table"), config.store());
        try {
            MountLog log = MountLog.open(folder.resolve("log"), SEGMENT_BYTES, synced);
            MountTable table = new MountTable(id, store, log, synced, clock, nanoClock, answers);
            Uploader uploader = new Uploader(id, objects, table, schedule(request), epoch, scratch, nanoClock);
            GarbageCollector collector =
                    new GarbageCollector(id, table, objects, uploader, collection(request), nanoClock);
            Compactor compactor =
                    new Compactor(id, table, objects, uploader, compaction(request), scratch, clock, nanoClock);
            Upkeep upkeep = new Upkeep(id, new Reaper(table.writer(), table.rows()), uploader, collector, compactor);
            Mount mount = new Mount(id, table, answers, upkeep);
            mount.start();
            return mount;
        } catch (IOException | RuntimeException e) {
            answers.shutdown();
            store.close();
            throw e;
        }
    }

    private static Compactor.Schedule compaction(Request request) {
        return Compactor.Schedule.of(
                request.options().get(BdtOptions.GC_INTERVAL), request.options().get(BdtOptions.GC_COMPACT_BELOW));
    }

    private static GarbageCollector.Schedule collection(Request request) {
        return new GarbageCollector.Schedule(
                request.options().get(BdtOptions.GC_INTERVAL), request.options().get(BdtOptions.GC_GRACE));
    }

    private static Uploader.Schedule schedule(Request request) {
        return new Uploader.Schedule(
                request.options().get(BdtOptions.BACKUP_INTERVAL),
                request.options().get(BdtOptions.BACKUP_MIN_CHANGES),
                request.options().get(BdtOptions.JOURNAL_INTERVAL));
    }
}
