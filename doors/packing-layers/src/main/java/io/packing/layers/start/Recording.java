package io.packing.layers.start;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a container has asked for since it started, until its start is over. Thread-safe. */
final class Recording {
    /** A start is over after this time. */
    static final Duration LONGEST = Duration.ofSeconds(20);
    /** A start is over when nothing was read for this time. */
    static final Duration QUIET = Duration.ofSeconds(3);

    private static final int MOST_RANGES = 20_000;

    /** A read of the kernel; the path is that in the container. */
    record Range(String path, long offset, int length) {}

    /** Reads, and directories in which names were looked up, in the order in which they first came. */
    record Asked(List<Range> ranges, Set<String> directories) {}

    private final Set<Range> ranges = new LinkedHashSet<>();
    private final Set<String> directories = new LinkedHashSet<>();
    private boolean over;
    private long first;
    private long last;

    synchronized void add(Range range, long now) {
        if (over || ranges.size() == MOST_RANGES) {
            return;
        }
        if (ranges.isEmpty()) {
            first = now;
        }
        last = now;
        ranges.add(range);
    }

    synchronized void search(String directory) {
        if (!over && directories.size() < StartPack.MOST_DIRECTORIES) {
            directories.add(directory);
        }
    }

    /** What was asked for, once the start is over. */
    synchronized Optional<Asked> take(long now) {
        boolean goesOn = now - first < LONGEST.toNanos() && now - last < QUIET.toNanos();
        if (over || ranges.isEmpty() || goesOn) {
            return Optional.empty();
        }
        over = true;
        Asked taken = new Asked(List.copyOf(ranges), new LinkedHashSet<>(directories));
        ranges.clear();
        directories.clear();
        return Optional.of(taken);
    }

    synchronized boolean isOver() {
        return over;
    }
}
