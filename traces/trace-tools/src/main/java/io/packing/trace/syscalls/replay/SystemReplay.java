// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls.replay;

import io.packing.trace.Call;
import io.packing.trace.Subject;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSource;
import io.packing.trace.tools.replay.Pace;
import io.packing.trace.tools.replay.ReplayReport;
import io.packing.trace.tools.replay.ReplayTally;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A replay of recorded calls below a directory, with meaningless content. One thread makes them all, in the order in
 * which they returned. So the tree, lengths and results equal the recording's, whatever threads made the calls.
 */
public final class SystemReplay {
    /** The errors of permissions, signals and mounts, which do not depend on the tree. */
    private static final Set<String> NOT_OF_THE_TREE = Set.of(
            "EACCES",
            "EPERM",
            "EROFS",
            "EINTR",
            "EAGAIN",
            "EBADF",
            "EFAULT",
            "ENOTTY",
            "ENOSYS",
            "EOPNOTSUPP",
            "EMFILE",
            "ENFILE",
            "ENOMEM",
            "ENXIO",
            "ENODATA",
            "ETXTBSY",
            "ESPIPE",
            "EXDEV",
            "EIO",
            "EDQUOT",
            "ENOSPC");

    /** A trace that can be read again. */
    public interface Trace {
        TraceSource open() throws IOException;
    }

    private final Path root;
    private final double speed;
    private final LongSupplier nanos;
    private final Pace pace;
    private final LongConsumer progress;
    private final ReplayTally tally = new ReplayTally();

    /**
     * @param root directory that replaces the trace's {@code /}; empty or absent
     * @param speed of the trace's time, 1 for the recorded one; 0: as fast as possible
     * @param nanos monotonic nanoseconds
     * @param progress receives the number of replayed events
     */
    public SystemReplay(Path root, double speed, LongSupplier nanos, Pace pace, LongConsumer progress) {
        if (!(speed >= 0)) {
            throw new IllegalArgumentException("a replay at speed " + speed);
        }
        this.root = root;
        this.speed = speed;
        this.nanos = nanos;
        this.pace = pace;
        this.progress = progress;
    }

    /** Returns whether this class replays an event: a system call, or a note of such a recording. */
    public static boolean isSystem(TraceEvent event) {
        return event.call().subject() == Subject.SYSTEM || event.call().isNote();
    }

    /**
     * Reads the trace twice: for the tree that it needs, and to replay it.
     *
     * @throws IllegalArgumentException if the root is not empty, since a replay deletes and overwrites
     */
    public ReplayReport run(Trace trace) throws IOException, InterruptedException {
        Files.createDirectories(root);
        try (Stream<Path> present = Files.list(root)) {
            if (present.findAny().isPresent()) {
                throw new IllegalArgumentException(
                        "%s is not empty, and a replay deletes and overwrites: name another directory".formatted(root));
            }
        }
        Sandbox sandbox = new Sandbox(root);
        InitialTree tree = before(trace);
        List<InitialFile> before = tree.files();
        long bytes = NameOperations.prepare(sandbox, before);
        long files = before.stream()
                .filter(file -> file.kind() != InitialFile.Kind.DIRECTORY)
                .count();
        try (ReplayedFiles open = new ReplayedFiles(sandbox);
                TraceSource source = trace.open()) {
            return run(source, new ReplayedCalls(sandbox, open, tree.appeared()), files, bytes);
        }
    }

    private static InitialTree before(Trace trace) throws IOException {
        InitialTree tree = new InitialTree();
        try (TraceSource source = trace.open()) {
            for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
                tree.add(next.get());
            }
        }
        return tree;
    }

    private ReplayReport run(TraceSource source, ReplayedCalls calls, long files, long bytes)
            throws IOException, InterruptedException {
        long begin = nanos.getAsLong();
        long events = 0;
        long first = Long.MIN_VALUE;
        long latest = 0;
        for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
            TraceEvent event = next.get();
            progress.accept(++events);
            if (event.call() == Call.CLOSED) {
                calls.forget(event);
            }
            if (event.call().isNote()) {
                continue;
            }
            first = first == Long.MIN_VALUE ? event.wallNanos() : first;
            if (speed > 0) {
                long due = (long) ((event.wallNanos() - first) / speed);
                pace.until(due);
                latest = Math.max(latest, nanos.getAsLong() - begin - due);
            }
            replay(event, calls);
        }
        double seconds = (nanos.getAsLong() - begin) / 1e9;
        return new ReplayReport(
                events, tally.kinds(), tally.skipped(), files, bytes, tally.examples(), seconds, latest / 1e9);
    }

    private void replay(TraceEvent event, ReplayedCalls calls) {
        if (!calls.takes(event) || NOT_OF_THE_TREE.contains(event.error())) {
            tally.skipped(event.call());
            return;
        }
        long begin = nanos.getAsLong();
        long result = TraceEvent.NONE;
        String error = "";
        try {
            result = calls.make(event);
        } catch (IOException | RuntimeException e) {
            error = ErrorNames.of(e).orElse(e.getClass().getSimpleName());
        }
        boolean moves = event.call().reads() || event.call().writes();
        tally.made(event.call(), 1, moves ? Math.max(0, result) : 0, !error.isEmpty(), nanos.getAsLong() - begin);
        compare(event, result, error);
    }

    private void compare(TraceEvent event, long result, String error) {
        long expected = ReplayedCalls.expected(event);
        boolean same = event.failed()
                ? event.error().equals(error)
                : error.isEmpty() && (expected == TraceEvent.NONE || result == TraceEvent.NONE || expected == result);
        if (!same) {
            tally.differs(event, expected, result, error);
        }
    }
}
