// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.desktop;

import io.packing.sim.RunResult;
import io.packing.trace.Call;
import io.packing.trace.Subject;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;

/**
 * A playback of recorded system calls through the local stack of a desktop (chapter 2's implications). The time between
 * calls is the recording's; the time in them is the stack's. Calls come one after the other, in the order in which they
 * returned.
 */
public final class DesktopRun {
    private static final int EVENTS_PER_REPORT = 1 << 12;
    private static final double SECOND = 1e9;
    private static final double MB = 1e6;

    private static final Set<Call> OPENS = Set.of(Call.SYS_OPEN, Call.SYS_OPENAT, Call.SYS_OPENAT2, Call.SYS_CREAT);
    private static final Set<Call> FORCES =
            Set.of(Call.SYS_FSYNC, Call.SYS_FDATASYNC, Call.SYS_MSYNC, Call.SYS_SYNC_FILE_RANGE);
    private static final Set<Call> FORCES_ALL = Set.of(Call.SYS_SYNC, Call.SYS_SYNCFS);
    private static final Set<Call> RENAMES = Set.of(Call.SYS_RENAME, Call.SYS_RENAMEAT, Call.SYS_RENAMEAT2);
    private static final Set<Call> REMOVES = Set.of(Call.SYS_UNLINK, Call.SYS_UNLINKAT);
    private static final List<String> NO_FILES = List.of("/proc/", "/sys/", "/dev/");

    private final DesktopOptions config;
    private final PageStore store;
    private final PackedFiles packed;
    private final FileNumbers files = new FileNumbers();
    private final Set<Long> prefetched = new HashSet<>();
    private long clock;
    private long thought = Long.MIN_VALUE;
    private long events;
    private long fsyncs;
    private long renames;
    private long readNanos;
    private long fsyncNanos;
    private long renameNanos;
    private double written;
    private double read;

    private DesktopRun(DesktopOptions config) {
        this.config = config;
        this.store = new PageStore(config);
        this.packed = new PackedFiles(config.packing());
    }

    /** Returns the names of a run's metrics. */
    public static Set<String> metricNames(DesktopOptions config) {
        return new TreeSet<>(new DesktopRun(config).metrics().keySet());
    }

    /**
     * Plays a trace on an empty stack.
     *
     * @param progress receives the number of events, now and then
     * @throws IllegalArgumentException if the trace has no system call
     */
    public static RunResult of(TraceSource trace, DesktopOptions config, LongConsumer progress) throws IOException {
        DesktopRun run = new DesktopRun(config);
        for (Optional<TraceEvent> next = trace.next(); next.isPresent(); next = trace.next()) {
            run.play(next.get());
            if (run.events % EVENTS_PER_REPORT == 0) {
                progress.accept(run.events);
            }
        }
        if (run.events == 0) {
            throw new IllegalArgumentException("the trace has no system calls to simulate");
        }
        progress.accept(run.events);
        run.store.forceAll(run.clock);
        return new RunResult(run.metrics(), List.of(), 0);
    }

    private void play(TraceEvent event) {
        if (event.call() == Call.CLOSED) {
            closed(event);
            return;
        }
        if (event.call().subject() != Subject.SYSTEM) {
            return;
        }
        events++;
        long thinking = thought == Long.MIN_VALUE ? 0 : Math.max(0, event.monoNanos() - thought);
        thought = Math.max(thought, event.monoNanos() + event.durationNanos());
        clock += thinking + config.callNanos();
        boolean isFile = !event.path().isEmpty() && NO_FILES.stream().noneMatch(event.path()::startsWith);
        if (!event.failed() && (isFile || FORCES_ALL.contains(event.call()))) {
            take(event);
        }
    }

    private void take(TraceEvent event) {
        Call call = event.call();
        if (OPENS.contains(call)) {
            opened(event);
        } else if (call.listsDirectory()) {
            return;
        } else if (call.reads()) {
            reads(event);
        } else if (call.writes()) {
            writes(event);
        } else if (FORCES.contains(call) || FORCES_ALL.contains(call)) {
            forces(event);
        } else if (RENAMES.contains(call)) {
            renames(event);
        } else if (REMOVES.contains(call)) {
            FileNumbers.Known gone = files.remove(event.path());
            store.forget(gone.number, gone.length);
        } else if (call == Call.SYS_FTRUNCATE || call == Call.SYS_TRUNCATE) {
            files.at(event.path()).length = Math.max(0, event.length());
        } else if (call == Call.SYS_CLOSE && !event.hints().contains("shared=true")) {
            closed(event);
        }
    }

    private void opened(TraceEvent event) {
        if (event.hints().contains("created=true")) {
            files.remove(event.path());
        }
        FileNumbers.Known file = files.at(event.path());
        if (event.hints().contains("O_TRUNC")) {
            store.forget(file.number, file.length);
        }
        file.length = Math.max(0, event.fileSize());
    }

    private void reads(TraceEvent event) {
        FileNumbers.Known file = files.at(event.path());
        long begin = clock;
        if (config.prefetch() == DesktopOptions.Prefetch.FILE && prefetched.add(event.stream())) {
            clock = store.prefetch(clock, file.number, Math.max(file.length, event.end()));
        }
        if (event.offset() != TraceEvent.NONE) {
            clock = store.read(clock, file.number, event.offset(), event.bytes());
        }
        read += event.bytes();
        readNanos += clock - begin;
    }

    private void writes(TraceEvent event) {
        FileNumbers.Known file = files.at(event.path());
        long offset = event.offset() == TraceEvent.NONE ? file.length : event.offset();
        store.write(clock, file.number, offset, event.bytes());
        file.length = Math.max(file.length, offset + event.bytes());
        file.unstored += event.bytes();
        written += event.bytes();
    }

    private void forces(TraceEvent event) {
        fsyncs++;
        if (config.fsync() == DesktopOptions.Fsync.NONE) {
            return;
        }
        long begin = clock;
        clock = FORCES_ALL.contains(event.call())
                ? store.forceAll(clock)
                : store.force(clock, files.at(event.path()).number);
        clock = store.commit(clock);
        fsyncNanos += clock - begin;
    }

    private void renames(TraceEvent event) {
        renames++;
        long begin = clock;
        if (config.rename() == DesktopOptions.Rename.FLUSH) {
            clock = store.force(clock, files.at(event.path()).number);
        }
        if (config.rename() != DesktopOptions.Rename.FREE) {
            clock = store.commit(clock);
        }
        renameNanos += clock - begin;
        if (event.hints().contains("RENAME_EXCHANGE")) {
            files.rename(event.target(), event.path() + "\\x00");
            files.rename(event.path(), event.target());
            files.rename(event.path() + "\\x00", event.path());
            return;
        }
        if (files.knows(event.target())) {
            FileNumbers.Known replaced = files.remove(event.target());
            store.forget(replaced.number, replaced.length);
        }
        files.rename(event.path(), event.target());
    }

    private void closed(TraceEvent event) {
        if (!files.knows(event.path())) {
            return;
        }
        FileNumbers.Known file = files.at(event.path());
        if (file.unstored > 0) {
            packed.stored(Math.max(file.length, event.fileSize()));
            file.unstored = 0;
        }
    }

    private Map<String, Double> metrics() {
        Map<String, Double> metrics = new LinkedHashMap<>();
        metrics.put("events", (double) events);
        metrics.put("seconds", clock / SECOND);
        metrics.put("read-seconds", readNanos / SECOND);
        metrics.put("fsync-seconds", fsyncNanos / SECOND);
        metrics.put("rename-seconds", renameNanos / SECOND);
        metrics.put("fsyncs", (double) fsyncs);
        metrics.put("renames", (double) renames);
        metrics.put("read-mb", read / MB);
        metrics.put("written-mb", written / MB);
        metrics.put("hit-rate", store.hitRate());
        metrics.put("disk-read-mb", store.readBytes() / MB);
        metrics.put("disk-written-mb", store.writtenBytes() / MB);
        metrics.put("prefetched-mb", store.prefetchedBytes() / MB);
        metrics.put("prefetched-used-mb", store.usedBytes() / MB);
        packed.tell(metrics);
        return metrics;
    }
}
