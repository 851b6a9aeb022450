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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.ShutdownHookManager;

/**
 * What tracing adds to a call: processor time and allocated bytes of the calling thread and of the thread that writes the
 * trace, over the same call on the same file system without it, alternately in one process. The file system does nothing,
 * so a call's own work hides none of it.
 *
 * <p>Calls come in bursts, since the buffers hold so many events; short pauses between them are a process at work, pauses
 * longer than the writer's interval one that is nearly idle, whose writer wakes up to cold caches for each burst.
 *
 * <p>Usage: {@code htfs-cost [rounds] [pause-ms] [call]}; with a call, only the kinds whose names begin with it.
 */
public final class HtfsCost {
    private static final int WARM_UP = 6;

    /** Of each measurement: as many events as two blocks of a trace hold. */
    private static final int BURSTS = 32;

    private static final int PAUSE_MILLIS = 2;

    /** After the tracer, at -100. Hadoop subtracts priorities: the least one of all would come before some. */
    private static final int LAST = -1_000;

    /** Far fewer than the buffers hold: an event that is dropped costs nothing and would flatter. */
    private static final int BURST = 1_000;

    private static final int SMALL = 16;
    private static final int LARGE = 65_536;
    private static final ThreadMXBean THREADS =
            (ThreadMXBean) ManagementFactory.getPlatformMXBean(java.lang.management.ThreadMXBean.class);

    private final int pauseMillis;

    private HtfsCost(int pauseMillis) {
        this.pauseMillis = pauseMillis;
    }

    /** A burst of calls on one file system. */
    private interface Burst {
        void run() throws IOException;
    }

    /** A kind of call, as bursts on both file systems. */
    private record Kind(String name, int calls, double barNanos, Burst plain, Burst traced) {}

    /** What a call costs, by thread. */
    private record Cost(double callerNanos, double writerNanos, double callerBytes, double writerBytes) {
        Cost over(Cost base) {
            return new Cost(callerNanos - base.callerNanos, writerNanos, callerBytes - base.callerBytes, writerBytes);
        }
    }

    public static void main(String[] args) throws IOException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 7;
        int pauseMillis = args.length > 1 ? Integer.parseInt(args[1]) : PAUSE_MILLIS;
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
                    new HtfsCost(pauseMillis).measure(kind, rounds, json);
                }
            }
        }
        dropped(traces);
        System.out.println(Measure.json(json));
        // After the tracer's own, which ends the trace.
        ShutdownHookManager.get()
                .addShutdownHook(
                        () -> {
                            try {
                                Phase.deleteTree(traces);
                            } catch (IOException e) {
                                System.err.println("left behind: " + traces);
                            }
                        },
                        LAST);
    }

    private static void dropped(java.nio.file.Path traces) throws IOException {
        try (TraceFiles files = TraceFiles.open(List.of(traces))) {
            while (files.next().isPresent()) {
                // Counts.
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
                "write(1), collapsed", 50 * BURST, 150, () -> writeOnes(plainOut), () -> writeOnes(tracedOut)));
        kinds.add(new Kind(
                "write(16), collapsed",
                50 * BURST,
                150,
                () -> writeSmall(plainOut, bytes),
                () -> writeSmall(tracedOut, bytes)));
        kinds.add(new Kind(
                "read(16), collapsed",
                50 * BURST,
                150,
                () -> readSmall(plainIn, bytes),
                () -> readSmall(tracedIn, bytes)));
        kinds.add(new Kind("pread(64 KB)", BURST, 400, () -> pread(plainIn, bytes), () -> pread(tracedIn, bytes)));
        kinds.add(new Kind("write(64 KB)", BURST, 400, () -> write(plainOut, bytes), () -> write(tracedOut, bytes)));
        kinds.add(new Kind("hflush", BURST, 400, () -> hflush(plainOut), () -> hflush(tracedOut)));
        kinds.add(new Kind("getFileStatus", BURST, 400, () -> status(plain), () -> status(traced)));
        kinds.add(new Kind("open and close, each", BURST, 400, () -> open(plain), () -> open(traced)));
        return kinds;
    }

    private static void writeOnes(FSDataOutputStream out) throws IOException {
        for (int i = 0; i < 50 * BURST; i++) {
            out.write(i);
        }
    }

    private static void writeSmall(FSDataOutputStream out, byte[] bytes) throws IOException {
        for (int i = 0; i < 50 * BURST; i++) {
            out.write(bytes, 0, SMALL);
        }
    }

    private static void readSmall(FSDataInputStream in, byte[] bytes) throws IOException {
        for (int i = 0; i < 50 * BURST; i++) {
            in.read(bytes, 0, SMALL);
        }
    }

    private static void pread(FSDataInputStream in, byte[] bytes) throws IOException {
        for (int i = 0; i < BURST; i++) {
            in.read((long) (i * 7919 & 0xffff) << 16, bytes, 0, LARGE);
        }
    }

    private static void write(FSDataOutputStream out, byte[] bytes) throws IOException {
        for (int i = 0; i < BURST; i++) {
            out.write(bytes, 0, LARGE);
        }
    }

    private static void hflush(FSDataOutputStream out) throws IOException {
        for (int i = 0; i < BURST; i++) {
            out.hflush();
        }
    }

    private static final Path[] PATHS = new Path[100];

    static {
        Arrays.setAll(PATHS, i -> new Path("/hbase/data/default/messages/r%d/actions/f%d".formatted(i / 10, i)));
    }

    private static void status(FileSystem fs) throws IOException {
        for (int i = 0; i < BURST; i++) {
            fs.getFileStatus(PATHS[i % PATHS.length]);
        }
    }

    private static void open(FileSystem fs) throws IOException {
        for (int i = 0; i < BURST / 2; i++) {
            fs.open(PATHS[i % PATHS.length]).close();
        }
    }

    private void measure(Kind kind, int rounds, Map<String, Double> json) throws IOException {
        for (int i = 0; i < WARM_UP; i++) {
            cost(kind.calls(), kind.plain(), false);
            cost(kind.calls(), kind.traced(), true);
        }
        List<Cost> plain = new ArrayList<>();
        List<Cost> added = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            Cost base = cost(kind.calls(), kind.plain(), false);
            plain.add(base);
            added.add(cost(kind.calls(), kind.traced(), true).over(base));
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

    private static double median(List<Cost> costs, java.util.function.ToDoubleFunction<Cost> of) {
        double[] all = costs.stream().mapToDouble(of).sorted().toArray();
        return all[all.length / 2];
    }

    private Cost cost(int calls, Burst burst, boolean traced) throws IOException {
        long writer = writer();
        long self = Thread.currentThread().getId();
        long writerNanos = THREADS.getThreadCpuTime(writer);
        long writerBytes = THREADS.getThreadAllocatedBytes(writer);
        long bytes = 0;
        long nanos = 0;
        for (int i = 0; i < BURSTS; i++) {
            long bytesBefore = THREADS.getThreadAllocatedBytes(self);
            long nanosBefore = THREADS.getCurrentThreadCpuTime();
            burst.run();
            nanos += THREADS.getCurrentThreadCpuTime() - nanosBefore;
            bytes += THREADS.getThreadAllocatedBytes(self) - bytesBefore;
            LockSupport.parkNanos(pauseMillis * 1_000_000L);
        }
        if (traced) {
            settle(writer);
        }
        double all = (double) calls * BURSTS;
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

    /** Waits until the writing thread has emptied the buffers: it looks every 200 ms. */
    private static void settle(long writer) {
        long before;
        do {
            before = THREADS.getThreadCpuTime(writer);
            LockSupport.parkNanos(220_000_000L);
        } while (THREADS.getThreadCpuTime(writer) - before > 500_000L);
    }
}
