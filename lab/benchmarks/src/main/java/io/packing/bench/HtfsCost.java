// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import com.sun.management.ThreadMXBean;
import io.packing.htfs.TracingFileSystem;
import io.packing.trace.TraceFiles;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * A benchmark of tracing: the added processor time and allocated bytes of a call, for the calling thread and the thread
 * that writes the trace. Calls with and without tracing alternate on one file system in one process. The file system
 * does nothing, so that a call's own work hides no cost.
 *
 * <p>Calls come in bursts, since the buffers hold only so many events; see {@link Load}.
 *
 * <p>Usage: {@code htfs-cost [rounds] [REST|WORK] [call]}; with a call, only the kinds whose names begin with it.
 */
public final class HtfsCost {
    /** The events of each kind before its measurement, which compile the tracer's code. */
    private static final int WARM_UP_EVENTS = 200_000;

    private static final long WARM_UP_PAUSE_NANOS = 2_000_000L;

    /** A pause longer than the writer sleeps. */
    private static final long WRITER_INTERVAL_NANOS = 1_100_000_000L;

    /** The limit of the writer's time for a look without events. */
    private static final long IDLE_PASS_NANOS = 500_000L;

    private static final int IDLE_SECONDS = 10;

    /**
     * The priority of a hook after the tracer's -100. Hadoop subtracts priorities: the least one of all would run
     * before some.
     */
    private static final int LAST = -1_000;

    /** The calls that become one event. */
    private static final int COLLAPSED = 50;

    private static final int SMALL = 16;
    private static final int LARGE = 65_536;
    private static final ThreadMXBean THREADS =
            (ThreadMXBean) ManagementFactory.getPlatformMXBean(java.lang.management.ThreadMXBean.class);

    /**
     * The rate of a process's calls. A burst has far fewer events than the buffers hold, since a dropped event would
     * hide its cost. A measurement fills two blocks of a trace. A block is compressed at once, so a shorter measurement
     * would pay for a whole block or for none.
     */
    private enum Load {
        /** Rare calls: half a second of idling after each burst, so that the writer wakes up to cold caches. */
        REST(3_000, 11, 500_000_000L),
        /** Constant calls, with pauses of 2 ms. */
        WORK(1_000, 33, 2_000_000L);

        private final int burstEvents;
        private final int bursts;
        private final long pauseNanos;

        Load(int burstEvents, int bursts, long pauseNanos) {
            this.burstEvents = burstEvents;
            this.bursts = bursts;
            this.pauseNanos = pauseNanos;
        }
    }

    private final Load load;

    private HtfsCost(Load load) {
        this.load = load;
    }

    /** A burst of calls on one file system. */
    private interface Burst {
        void run(int calls) throws IOException;
    }

    /** A kind of call, on both file systems. */
    private record Kind(String name, int callsPerEvent, double barNanos, Burst plain, Burst traced) {}

    /** The cost of a call, by thread. */
    private record Cost(double callerNanos, double writerNanos, double callerBytes, double writerBytes) {
        Cost over(Cost base) {
            return new Cost(callerNanos - base.callerNanos, writerNanos, callerBytes - base.callerBytes, writerBytes);
        }
    }

    public static void main(String[] args) throws IOException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        Load load = args.length > 1 ? Load.valueOf(args[1]) : Load.REST;
        String only = args.length > 2 ? args[2] : "";
        java.nio.file.Path traces = Files.createTempDirectory("htfs-cost");
        Map<String, Double> json = new LinkedHashMap<>();
        try (FileSystem plain = FileSystem.newInstance(URI.create("idle://plain/"), configuration(traces, false));
                FileSystem traced = FileSystem.newInstance(URI.create("idle://traced/"), configuration(traces, true))) {
            System.out.printf(
                    "%-22s %10s %10s %10s %8s %8s %8s %6s%n",
                    "call", "plain ns", "caller ns", "writer ns", "ns added", "caller B", "writer B", "bar");
            for (Kind kind : kinds(plain, traced)) {
                if (kind.name().startsWith(only)) {
                    new HtfsCost(load).measure(kind, rounds, json);
                }
            }
            idle(json);
        }
        dropped(traces);
        System.out.println(Measure.json(json));
        // This hook runs after the tracer's own, which ends the trace.
        ShutdownHookManager.get()
                .addShutdownHook(
                        () -> {
                            try {
                                Phase.deleteTree(traces);
                            } catch (IOException e) {
                                System.err.println("could not delete: " + traces);
                            }
                        },
                        LAST);
    }

    /** Measures the writer in a process without calls. */
    private static void idle(Map<String, Double> json) {
        long writer = writer();
        settle(writer);
        long before = THREADS.getThreadCpuTime(writer);
        LockSupport.parkNanos(IDLE_SECONDS * 1_000_000_000L);
        double nanos = (THREADS.getThreadCpuTime(writer) - before) / (double) IDLE_SECONDS;
        System.out.printf(Locale.ROOT, "%.0f us of writer a second without events%n", nanos / 1_000);
        json.put("idle_ns_a_second", nanos);
    }

    private static void dropped(java.nio.file.Path traces) throws IOException {
        try (TraceFiles files = TraceFiles.open(List.of(traces))) {
            while (files.next().isPresent()) {
                // The loop only counts.
            }
            System.out.printf(
                    Locale.ROOT,
                    "%,d events in the trace so far, %,d dropped%n",
                    files.report().events(),
                    files.report().dropped());
        }
    }

    private static Configuration configuration(java.nio.file.Path traces, boolean traced) {
        Configuration conf = new Configuration(false);
        conf.set("fs.idle.impl", (traced ? TracingFileSystem.class : IdleFileSystem.class).getName());
        conf.set("htfs.underlying.impl", IdleFileSystem.class.getName());
        conf.set("htfs.dir", traces.toString());
        return conf;
    }

    private static List<Kind> kinds(FileSystem plain, FileSystem traced) throws IOException {
        byte[] bytes = new byte[LARGE];
        List<Kind> kinds = new ArrayList<>();
        FSDataOutputStream plainOut = plain.create(new Path("/hbase/WALs/a"));
        FSDataOutputStream tracedOut = traced.create(new Path("/hbase/WALs/a"));
        FSDataInputStream plainIn = plain.open(new Path("/hbase/data/a"));
        FSDataInputStream tracedIn = traced.open(new Path("/hbase/data/a"));
        kinds.add(new Kind(
                "write(1), collapsed",
                COLLAPSED,
                150,
                calls -> writeOnes(plainOut, calls),
                calls -> writeOnes(tracedOut, calls)));
        kinds.add(new Kind(
                "write(16), collapsed",
                COLLAPSED,
                150,
                calls -> write(plainOut, bytes, SMALL, calls),
                calls -> write(tracedOut, bytes, SMALL, calls)));
        kinds.add(new Kind(
                "read(16), collapsed",
                COLLAPSED,
                150,
                calls -> readSmall(plainIn, bytes, calls),
                calls -> readSmall(tracedIn, bytes, calls)));
        kinds.add(new Kind(
                "pread(64 KB)", 1, 400, calls -> pread(plainIn, bytes, calls), calls -> pread(tracedIn, bytes, calls)));
        kinds.add(new Kind(
                "write(64 KB)",
                1,
                400,
                calls -> write(plainOut, bytes, LARGE, calls),
                calls -> write(tracedOut, bytes, LARGE, calls)));
        kinds.add(new Kind("hflush", 1, 400, calls -> hflush(plainOut, calls), calls -> hflush(tracedOut, calls)));
        kinds.add(new Kind("getFileStatus", 1, 400, calls -> status(plain, calls), calls -> status(traced, calls)));
        kinds.add(new Kind("open and close, each", 1, 400, calls -> open(plain, calls), calls -> open(traced, calls)));
        return kinds;
    }

    private static void writeOnes(FSDataOutputStream out, int calls) throws IOException {
        for (int i = 0; i < calls; i++) {
            out.write(i);
        }
    }

    private static void readSmall(FSDataInputStream in, byte[] bytes, int calls) throws IOException {
        for (int i = 0; i < calls; i++) {
            in.read(bytes, 0, SMALL);
        }
    }

    private static void pread(FSDataInputStream in, byte[] bytes, int calls) throws IOException {
        for (int i = 0; i < calls; i++) {
            in.read((long) (i * 7919 & 0xffff) << 16, bytes, 0, LARGE);
        }
    }

    private static void write(FSDataOutputStream out, byte[] bytes, int length, int calls) throws IOException {
        for (int i = 0; i < calls; i++) {
            out.write(bytes, 0, length);
        }
    }

    private static void hflush(FSDataOutputStream out, int calls) throws IOException {
        for (int i = 0; i < calls; i++) {
            out.hflush();
        }
    }

    private static final Path[] PATHS = new Path[100];

    static {
        Arrays.setAll(PATHS, i -> new Path("/hbase/data/default/messages/r%d/actions/f%d".formatted(i / 10, i)));
    }

    private static void status(FileSystem fs, int calls) throws IOException {
        for (int i = 0; i < calls; i++) {
            fs.getFileStatus(PATHS[i % PATHS.length]);
        }
    }

    private static void open(FileSystem fs, int calls) throws IOException {
        for (int i = 0; i < calls / 2; i++) {
            fs.open(PATHS[i % PATHS.length]).close();
        }
    }

    private void measure(Kind kind, int rounds, Map<String, Double> json) throws IOException {
        for (int events = 0; events < WARM_UP_EVENTS; events += load.burstEvents * load.bursts) {
            cost(kind, kind.plain(), false, WARM_UP_PAUSE_NANOS);
            cost(kind, kind.traced(), true, WARM_UP_PAUSE_NANOS);
        }
        List<Cost> plain = new ArrayList<>();
        List<Cost> added = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            Cost base = cost(kind, kind.plain(), false, load.pauseNanos);
            plain.add(base);
            added.add(cost(kind, kind.traced(), true, load.pauseNanos).over(base));
        }
        double caller = median(added, Cost::callerNanos);
        double writer = median(added, Cost::writerNanos);
        System.out.printf(
                Locale.ROOT,
                "%-22s %10.1f %10.1f %10.1f %8.1f %8.3f %8.3f %6.0f%n",
                kind.name(),
                median(plain, Cost::callerNanos),
                caller,
                writer,
                caller + writer,
                median(added, Cost::callerBytes),
                median(added, Cost::writerBytes),
                kind.barNanos());
        json.put(kind.name().replaceAll("[^A-Za-z0-9]+", "_") + "_ns", caller + writer);
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> of) {
        double[] all = costs.stream().mapToDouble(of).sorted().toArray();
        return all[all.length / 2];
    }

    private Cost cost(Kind kind, Burst burst, boolean traced, long pauseNanos) throws IOException {
        long writer = writer();
        long self = Thread.currentThread().getId();
        long writerNanos = THREADS.getThreadCpuTime(writer);
        long writerBytes = THREADS.getThreadAllocatedBytes(writer);
        long bytes = 0;
        long nanos = 0;
        int calls = kind.callsPerEvent() * load.burstEvents;
        for (int i = 0; i < load.bursts; i++) {
            long bytesBefore = THREADS.getThreadAllocatedBytes(self);
            long nanosBefore = THREADS.getCurrentThreadCpuTime();
            burst.run(calls);
            nanos += THREADS.getCurrentThreadCpuTime() - nanosBefore;
            bytes += THREADS.getThreadAllocatedBytes(self) - bytesBefore;
            LockSupport.parkNanos(pauseNanos);
        }
        if (traced) {
            settle(writer);
        }
        double all = (double) calls * load.bursts;
        return new Cost(
                nanos / all,
                (THREADS.getThreadCpuTime(writer) - writerNanos) / all,
                bytes / all,
                (THREADS.getThreadAllocatedBytes(writer) - writerBytes) / all);
    }

    private static long writer() {
        return Arrays.stream(THREADS.getThreadInfo(THREADS.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().equals("htfs-writer"))
                .findFirst()
                .orElseThrow()
                .getThreadId();
    }

    /** Waits until the writing thread has emptied the buffers. */
    private static void settle(long writer) {
        long before;
        do {
            before = THREADS.getThreadCpuTime(writer);
            LockSupport.parkNanos(WRITER_INTERVAL_NANOS);
        } while (THREADS.getThreadCpuTime(writer) - before > IDLE_PASS_NANOS);
    }
}
