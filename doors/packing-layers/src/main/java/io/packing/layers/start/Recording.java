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

    /**
     * What was asked for, in the order in which it first came.
     *
     * @param names that were looked up, and directories that were listed, as a {@link StartPack} has them
     * @param place where the start of the image is kept, if that was known while the container was there
     */
    record Asked(List<Range> ranges, Set<String> names, Optional<StartPlace> place) {}

    private final Set<Range> ranges = new LinkedHashSet<>();
    private final Set<String> names = new LinkedHashSet<>();
    private final LargeFiles.Places places = new LargeFiles.Places();
    private boolean isUnknown;
    /** Of files that are brought whole. */
    private long wholeBytes;

    private Optional<StartPlace> place = Optional.empty();
    private boolean over;
    /** When the first bytes were read, or, before that, the first name was looked up. */
    private long first;

    private long last;

    /** The container read a file; returns whether the rest of it is worth bringing. */
    synchronized boolean add(Range range, long now) {
        if (over || ranges.size() == MOST_RANGES) {
            return false;
        }
        if (ranges.isEmpty()) {
            first = now;
        }
        last = now;
        return ranges.add(range) && isUnknown && places.add(range.path(), range.offset(), range.length());
    }

    /** Counts a file that is to be brought whole; returns whether there is room for it beside those before it. */
    synchronized boolean addWhole(long bytes, long mostBytes) {
        boolean fits = wholeBytes + bytes <= mostBytes;
        wholeBytes += fits ? bytes : 0;
        return fits;
    }

    /** Nothing is kept of starts of the container's image. */
    synchronized void isUnknown() {
        isUnknown = true;
    }

    /** The container looked up a path, or listed a directory. */
    synchronized void name(String name, long now) {
        if (!over && names.size() < StartPack.MOST_NAMES) {
            if (ranges.isEmpty() && names.isEmpty()) {
                first = now;
            }
            names.add(name);
        }
    }

    /** Where the start of the container's image is kept: it may be removed before its start is over. */
    synchronized void isOf(StartPlace image) {
        place = Optional.of(image);
    }

    /** What was asked for, once the start is over. */
    synchronized Optional<Asked> take(long now) {
        boolean isLong = now - first >= LONGEST.toNanos();
        if (ranges.isEmpty() && isLong) {
            // Somebody looked into the container, and nothing has started: it begins anew with the next name.
            names.clear();
        }
        return isLong || now - last >= QUIET.toNanos() ? end() : Optional.empty();
    }

    /** What was asked for until now: the start is over. */
    synchronized Optional<Asked> end() {
        if (over || ranges.isEmpty()) {
            return Optional.empty();
        }
        over = true;
        Asked taken = new Asked(List.copyOf(ranges), new LinkedHashSet<>(names), place);
        ranges.clear();
        names.clear();
        return Optional.of(taken);
    }

    synchronized boolean isOver() {
        return over;
    }
}
