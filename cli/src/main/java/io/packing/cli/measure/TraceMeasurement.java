// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.measure;

import io.packing.blob.FilePath;
import io.packing.sim.bill.BilledRequests;
import io.packing.sim.pack.FileActions;
import io.packing.sim.pack.PreparedFiles;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.RequestMeter;
import io.packing.store.StoreLocation;
import io.packing.store.StoreOptions;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSource;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A measurement of a trace: a master and a worker of its own play it on a new mount in a store, and one meter counts all their requests.
 * It leaves nothing in the store.
 */
public final class TraceMeasurement implements AutoCloseable {
    private static final List<String> PARTS = List.of("probe", "local", "mount");
    private static final int THREADS = 16;
    private static final int LIST_PAGE = 1_000;
    private static final long POLL_NANOS = 10_000_000;
    private static final int LOCAL_FILES = 60;
    private static final int LOCAL_BYTES = 8 << 10;
    /** The longest wait for files to be durable beyond the age of a seal. */
    private static final Duration SLACK = Duration.ofMinutes(2);

    /** A trace that can be read several times. */
    public interface Trace {
        TraceSource open() throws IOException;
    }

    /**
     * The result.
     *
     * @param requests of the master and the worker, from the first action of the trace to the end of both
     * @param seconds from the first action until the last file was durable
     * @param durableSeconds from a file's close until it was durable, on average; not a number without files
     * @param durableSecondsMost the longest such time
     * @param readMillis of a read, on average; not a number without reads
     * @param failures actions that failed
     * @param examples a few of them
     * @param latestSeconds the most that an action began late
     */
    public record Measured(
            BilledRequests requests,
            double seconds,
            double durableSeconds,
            double durableSecondsMost,
            double readMillis,
            long failures,
            List<String> examples,
            double latestSeconds) {
        public Measured {
            examples = List.copyOf(examples);
        }
    }

    private final Map<String, String> options;
    private final String place;
    private final Path home;

    /**
     * @param options that lead to the store, without its location
     * @param place a location in a store, without objects that begin with it
     * @param home a new folder, for the data of the daemons
     */
    public TraceMeasurement(Map<String, String> options, String place, Path home) {
        this.options = Map.copyOf(options);
        this.place = place;
        this.home = home;
    }

    /** Makes the folders of a store that is a directory; other stores need none. */
    public void prepare() throws IOException {
        for (String part : PARTS) {
            if (StoreLocation.parse(place + "/" + part) instanceof StoreLocation.Directory directory) {
                Path unused = Files.createDirectories(directory.path());
            }
        }
    }

    private Map<String, String> at(String part) {
        Map<String, String> all = new HashMap<>(options);
        all.put(StoreOptions.STORE.key(), place + "/" + part);
        return all;
    }

    /** Measures the speed of the store. */
    public StoreProbe probe() throws IOException {
        try (ObjectStore store = open("probe")) {
            return StoreProbe.of(store);
        }
    }

    /** Measures the seconds of a read that needs no request, with the open of its file. */
    public double localReadSeconds() throws IOException {
        RequestMeter unused = new RequestMeter();
        try (MeasuredDaemons daemons = MeasuredDaemons.start(options, home.resolve("local"), unused);
                PackingFileSystem mount = daemons.open(at("local"));
                TraceDrive drive = new TraceDrive(mount, watch(mount, Long.MAX_VALUE), 1)) {
            FilePath folder = new FilePath("/local");
            for (int i = 0; i < LOCAL_FILES; i++) {
                drive.writeFile(folder.child("f" + i), LOCAL_BYTES);
            }
            for (int round = 0; round < 2; round++) {
                for (int i = 0; i < LOCAL_FILES; i++) {
                    drive.read("", folder.child("f" + i).value(), 0, LOCAL_BYTES);
                }
            }
            drive.settle();
            return drive.readMillis() / 1e3;
        }
    }

    /**
     * Plays a trace at the times of its actions.
     *
     * @param mountOptions of the mount, over those of the store
     * @param pace factor by which the trace is played faster than it was recorded
     * @param prepared files that are there before the trace
     * @param largeFrom size from which a file has blobs of its own
     * @param sealAfter the oldest that a file gets before it is pushed
     */
    public Measured play(
            Trace trace,
            Map<String, String> mountOptions,
            double pace,
            Map<String, Long> prepared,
            long largeFrom,
            Duration sealAfter)
            throws IOException {
        Map<String, String> all = at("mount");
        all.putAll(mountOptions);
        RequestMeter meter = new RequestMeter();
        RequestMeter.Snapshot before;
        Play played;
        try (MeasuredDaemons daemons = MeasuredDaemons.start(options, home.resolve("played"), meter);
                PackingFileSystem mount = daemons.open(all)) {
            DurableWatch watch = watch(mount, largeFrom);
            try (TraceDrive drive = new TraceDrive(mount, watch, THREADS)) {
                for (Map.Entry<String, Long> file : prepared.entrySet()) {
                    drive.writeFile(FilePath.normalise(file.getKey()), file.getValue());
                }
                mount.flush();
                before = meter.snapshot();
                played = new Play(trace, drive, watch, pace);
                played.run(sealAfter.plus(SLACK));
            }
        }
        RequestMeter.Snapshot asked = meter.snapshot().since(before);
        return played.measured(new BilledRequests(
                asked.put(),
                asked.list(),
                asked.get(),
                asked.head(),
                asked.delete(),
                asked.throttled(),
                asked.failed()));
    }

    private static DurableWatch watch(PackingFileSystem mount, long largeFrom) {
        return new DurableWatch(mount.bdt(), largeFrom, System::nanoTime);
    }

    /** A play of a trace, on the caller's thread. */
    private static final class Play {
        private final Trace trace;
        private final TraceDrive drive;
        private final DurableWatch watch;
        private final double pace;
        private long latest;
        private double seconds;
        private Optional<IOException> watchFailed = Optional.empty();

        private Play(Trace trace, TraceDrive drive, DurableWatch watch, double pace) {
            this.trace = trace;
            this.drive = drive;
            this.watch = watch;
            this.pace = pace;
        }

        private void run(Duration patience) throws IOException {
            long begin = System.nanoTime();
            Thread watching = new Thread(this::watch, "durable-watch");
            watching.setDaemon(true);
            watching.start();
            try (TraceSource source = trace.open()) {
                FileActions actions = new FileActions(drive);
                long first = Long.MIN_VALUE;
                for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
                    first = first == Long.MIN_VALUE ? next.get().wallNanos() : first;
                    long due = begin + Math.round((next.get().wallNanos() - first) / pace);
                    for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                        LockSupport.parkNanos(left);
                    }
                    latest = Math.max(latest, System.nanoTime() - due);
                    actions.take(next.get());
                }
                drive.settle();
                long until = System.nanoTime() + patience.toNanos();
                while (watch.waiting() > 0 && watching.isAlive()) {
                    if (System.nanoTime() - until > 0) {
                        throw new IOException("%,d files are not in the store %s after the last action of the trace"
                                .formatted(watch.waiting(), patience));
                    }
                    LockSupport.parkNanos(POLL_NANOS);
                }
                seconds = (System.nanoTime() - begin) / 1e9;
            } finally {
                watching.interrupt();
                try {
                    watching.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            if (watchFailed.isPresent()) {
                throw watchFailed.get();
            }
        }

        private void watch() {
            try {
                while (!Thread.currentThread().isInterrupted()) {
                    boolean unused = watch.step();
                    LockSupport.parkNanos(POLL_NANOS);
                }
            } catch (IOException e) {
                if (!Thread.currentThread().isInterrupted()) {
                    watchFailed = Optional.of(e);
                }
            }
        }

        private Measured measured(BilledRequests requests) {
            return new Measured(
                    requests,
                    seconds,
                    watch.meanSeconds(),
                    watch.mostSeconds(),
                    drive.readMillis(),
                    drive.failures(),
                    drive.examples(),
                    latest / 1e9);
        }
    }

    /** Finds the files that a trace reads and did not write. */
    public static Map<String, Long> prepared(Trace trace) throws IOException {
        PreparedFiles files = new PreparedFiles();
        FileActions actions = new FileActions(files);
        try (TraceSource source = trace.open()) {
            for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
                actions.take(next.get());
            }
        }
        return files.files();
    }

    private ObjectStore open(String part) throws IOException {
        return ObjectStores.open(StoreOptions.from(at(part)));
    }

    /** Removes what the measurement made, in the store and below its folder. */
    @Override
    public void close() throws IOException {
        for (String part : PARTS) {
            try (ObjectStore store = open(part)) {
                List<ObjectInfo> page = store.list("", "", LIST_PAGE);
                while (!page.isEmpty()) {
                    store.delete(page.stream().map(ObjectInfo::key).toList());
                    page = store.list("", page.get(page.size() - 1).key(), LIST_PAGE);
                }
            }
        }
        if (StoreLocation.parse(place) instanceof StoreLocation.Directory directory) {
            deleteTree(directory.path());
        }
        deleteTree(home);
    }

    private static void deleteTree(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
