// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import com.typesafe.config.Config;
import io.packing.options.PriceTable;
import io.packing.sim.BrokenInvariantException;
import io.packing.sim.Playback;
import io.packing.sim.Rhythm;
import io.packing.sim.RunResult;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * A run of files through the packing layer and an object store, or straight to the store (§4, §8). It runs in virtual
 * time from a seed: equal configurations give equal numbers.
 */
public final class PackSimulation {
    private static final int THINGS_PER_CHECK = 1 << 18;
    private static final double MIB = 1 << 20;
    private static final double GIB = 1 << 30;

    private final StackOptions config;

    /**
     * Makes a simulation of a configuration.
     *
     * @param changes over the defaults of {@code pack.conf}
     * @throws IllegalArgumentException naming an unknown, malformed or impossible parameter
     */
    public PackSimulation(Config changes) {
        this.config = StackReader.read(changes);
    }

    /** Returns the names of all metrics of its run. */
    public Set<String> metricNames() {
        return metrics(new PackCounters(), new StoreModel(config.store(), new EventQueue(), 0), Optional.empty())
                .keySet();
    }

    /** Returns whether it replays a trace. */
    public boolean replays() {
        return config.replay();
    }

    /** Returns the memory for the files of an ingest, and for the pages in caches, in bytes. */
    public long memory() {
        long files = config.replay() ? 0 : config.ingest().files();
        long buffered =
                config.packing().bufferBytes() / Math.max(1, config.ingest().sizeBytes());
        long waiting = Math.min(files, config.workers().count() * Math.max(1, buffered));
        return files * FileTable.MEMORY_PER_FILE + waiting * 32;
    }

    /**
     * Runs the simulation.
     *
     * @param traces to replay; not read if the configuration has an ingest of its own
     * @param progress receives the number of files or events, now and then
     */
    public RunResult run(List<TraceSource> traces, LongConsumer progress) throws IOException {
        return run(traces, new TracePlay(1, Map.of()), progress);
    }

    /**
     * The way in which a trace is played.
     *
     * @param pace factor by which it is played faster than it was recorded
     * @param prepared files that are in the store before it, with their lengths
     */
    public record TracePlay(double pace, Map<String, Long> prepared) {
        public TracePlay {
            prepared = Collections.unmodifiableSortedMap(new TreeMap<>(prepared));
        }
    }

    /** Runs the simulation with a trace that is played in another way. */
    public RunResult run(List<TraceSource> traces, TracePlay play, LongConsumer progress) throws IOException {
        EventQueue agenda = new EventQueue();
        FileTable files = new FileTable();
        SimulatedBlobs blobs = new SimulatedBlobs();
        PackCounters counters = new PackCounters();
        StoreModel store = new StoreModel(config.store(), agenda, config.seed());
        Layouts layouts = new Layouts();
        Link[] links = new Link[config.workers().count()];
        WorkerModel[] workers = new WorkerModel[links.length];
        for (int i = 0; i < links.length; i++) {
            links[i] = link();
            workers[i] = new WorkerModel(config, agenda, files, blobs, store, links[i], layouts, counters);
        }
        Reader reader = new Reader(config, agenda, files, blobs, store, links, counters);
        ClientPath door =
                new ClientPath(config, agenda, files, blobs, layouts, store, links, workers, counters, reader);
        Optional<TraceReplay> replay = Optional.empty();
        if (config.replay()) {
            Rhythm rhythm = new Rhythm(play.pace(), 0, 0);
            TraceReplay played = new TraceReplay(
                    new Playback(traces, rhythm, 0, 0, 0, Long.MAX_VALUE), agenda, door, play.prepared());
            Optional<Backups> backups = backups(agenda, store, counters, played::goesOn);
            played.next();
            drain(agenda, progress, played::events);
            finish(backups, agenda);
            if (played.events() == 0) {
                throw new IllegalArgumentException("the trace is empty: it has nothing to simulate");
            }
            replay = Optional.of(played);
        } else {
            IngestClients clients = new IngestClients(config, agenda, door);
            Optional<Backups> backups = backups(agenda, store, counters, clients::goesOn);
            clients.write();
            drain(agenda, progress, () -> counters.files);
            finish(backups, agenda);
            clients.read();
            drain(agenda, progress, () -> counters.files);
        }
        check(store, workers, counters);
        return new RunResult(metrics(counters, store, replay), List.of(), 1);
    }

    private interface Count {
        long now();
    }

    private static void drain(EventQueue agenda, LongConsumer progress, Count done) {
        long steps = 0;
        while (agenda.step()) {
            if (++steps % THINGS_PER_CHECK == 0) {
                progress.accept(done.now());
            }
        }
        progress.accept(done.now());
    }

    private Link link() {
        return new Link(config.workers().linkBytes(), config.store().connectionBytes());
    }

    /** Makes the master's backups, with a link of its own. */
    private Optional<Backups> backups(
            EventQueue agenda, StoreModel store, PackCounters counters, BooleanSupplier goesOn) {
        return config.packed()
                ? Optional.of(new Backups(config.packing(), agenda, store, link(), counters, goesOn))
                : Optional.empty();
    }

    /** Makes the backup with which a master stops. */
    private static void finish(Optional<Backups> backups, EventQueue agenda) {
        backups.ifPresent(Backups::make);
        while (agenda.step()) {
            // Each step moves the backup on, until the store has it.
        }
    }

    private void check(StoreModel store, WorkerModel[] workers, PackCounters counters) {
        store.check();
        for (WorkerModel worker : workers) {
            worker.check();
        }
        BrokenInvariantException.same(
                "files written, and durable or deleted before",
                counters.files,
                counters.durableFiles + counters.savedFiles);
        BrokenInvariantException.same(
                "bytes written, and durable or deleted before",
                counters.fileBytes,
                counters.durableBytes + counters.savedBytes);
        BrokenInvariantException.same(
                "bytes uploaded, and in blobs and backups",
                store.bytes(SimulatedRequestKind.PUT),
                counters.blobBytes + counters.backupBytes);
        BrokenInvariantException.same(
                "PUTs, and blobs and backups",
                store.answered(SimulatedRequestKind.PUT),
                counters.blobs + counters.backups);
        BrokenInvariantException.same(
                "bytes read and bytes served",
                counters.readBytes,
                counters.bytesFromBuffers
                        + counters.bytesFromCaches
                        + counters.bytesFromStore
                        + counters.bytesFromElsewhere);
        BrokenInvariantException.same(
                "GETs of reads, and answered", counters.readGets, store.answered(SimulatedRequestKind.GET));
        BrokenInvariantException.same("reads asked and answered", counters.reads, counters.readNanos.getTotalCount());
    }

    private Map<String, Double> metrics(PackCounters counters, StoreModel store, Optional<TraceReplay> replay) {
        Map<String, Double> metrics = new LinkedHashMap<>();
        double puts = store.answered(SimulatedRequestKind.PUT);
        double lists = store.answered(SimulatedRequestKind.LIST);
        double gets = store.answered(SimulatedRequestKind.GET);
        double refusedWrites = store.refused(SimulatedRequestKind.PUT) + store.refused(SimulatedRequestKind.LIST);
        double seconds = counters.lastDurable / 1e9;
        PriceTable prices = config.store().prices();
        double requestDollars = prices.requests(puts, lists, gets, 0);
        metrics.put("files", (double) counters.files);
        metrics.put("bytes-mib", counters.fileBytes / MIB);
        metrics.put("seconds", seconds);
        metrics.put("closed-seconds", counters.lastClosed / 1e9);
        metrics.put("mib-per-s", ratio(counters.fileBytes / MIB, seconds));
        metrics.put("files-per-s", ratio((double) counters.files, seconds));
        metrics.put("puts", puts);
        metrics.put("lists", lists);
        metrics.put("gets", gets);
        metrics.put("throttled", refusedWrites + store.refused(SimulatedRequestKind.GET));
        metrics.put("throttled-share", ratio(refusedWrites, puts + lists + refusedWrites));
        metrics.put("puts-per-gib", ratio(puts + lists, counters.fileBytes / GIB));
        metrics.put("backups", (double) counters.backups);
        metrics.put("request-dollars", requestDollars);
        metrics.put(
                "retry-dollars",
                prices.requests(
                        store.refused(SimulatedRequestKind.PUT),
                        store.refused(SimulatedRequestKind.LIST),
                        store.refused(SimulatedRequestKind.GET),
                        0));
        metrics.put(
                "storage-dollars", prices.storage(store.bytes(SimulatedRequestKind.PUT) - (double) counters.deadBytes));
        metrics.put("upload-dollars", prices.upload((double) store.bytes(SimulatedRequestKind.PUT)));
        metrics.put("blobs", (double) counters.blobs);
        metrics.put("blob-mib", ratio(counters.blobBytes / MIB, (double) counters.blobs));
        metrics.put("sealed-by-age", (double) counters.sealedByAge);
        metrics.put("sealed-by-size", (double) counters.sealedBySize);
        metrics.put("write-amplification", ratio((double) store.bytes(SimulatedRequestKind.PUT), (double)
                counters.fileBytes));
        metrics.put("local-amplification", ratio((double) counters.localBytes, (double) counters.fileBytes));
        metrics.put("exposed-s", ratio((double) counters.exposedNanos, (double) counters.durableFiles) / 1e9);
        metrics.put("exposed-s-max", counters.mostExposedNanos / 1e9);
        metrics.put("buffered-mib-max", counters.mostBuffered / MIB);
        metrics.put("waits-for-room", (double) counters.waitsForRoom);
        metrics.put("bdt-mib", counters.mostRows * config.packing().tableBytesPerFile() / MIB);
        metrics.put("deleted-files", (double) counters.deletedFiles);
        metrics.put("never-pushed", (double) counters.savedFiles);
        metrics.put("dead-mib", counters.deadBytes / MIB);
        metrics.put("reads", (double) counters.reads);
        metrics.put("gets-per-read", ratio((double) counters.readGets, (double) counters.reads));
        metrics.put("read-ms", counters.reads == 0 ? Double.NaN : counters.readNanos.getMean() / 1e6);
        metrics.put(
                "read-ms-p99", counters.reads == 0 ? Double.NaN : counters.readNanos.getValueAtPercentile(99) / 1e6);
        metrics.put("reads-of-others", (double) counters.strangeReads);
        metrics.put("read-amplification", ratio((double) store.bytes(SimulatedRequestKind.GET), (double)
                counters.readBytes));
        metrics.put("events", replay.map(r -> (double) r.events()).orElse(0.0));
        metrics.put("unknown-calls", replay.map(r -> (double) r.unknown()).orElse(0.0));
        metrics.put("failed-calls", replay.map(r -> (double) r.failed()).orElse(0.0));
        metrics.put("unclosed-files", replay.map(r -> (double) r.unclosed()).orElse(0.0));
        metrics.put("late-events", replay.map(r -> (double) r.late()).orElse(0.0));
        return metrics;
    }

    private static double ratio(double part, double of) {
        return of == 0 ? Double.NaN : part / of;
    }
}
