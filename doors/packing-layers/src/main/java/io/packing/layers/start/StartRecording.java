// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The requests of a container since it started, until its start is over. Thread-safe. */
final class StartRecording {
    /** A start is over after this time. */
    static final Duration LONGEST = Duration.ofSeconds(20);
    /** A start is over when nothing was read for this time. */
    static final Duration QUIET = Duration.ofSeconds(3);

    private static final int MOST_RANGES = 20_000;

    /** A read of the kernel; the path is that in the container. */
    record Range(String path, long offset, int length) {}

    /**
     * The requests of a start, in the order in which they first came.
     *
     * @param names that were looked up, and directories that were listed, as a {@link StartPack} has them
     * @param place the place of the image's start pack, if it was known while the container was there
     */
    record Asked(List<Range> ranges, Set<String> names, Optional<StartPlace> place) {}

    private final Set<Range> ranges = new LinkedHashSet<>();
    private final Set<String> names = new LinkedHashSet<>();
    private final LargeFiles.Places places = new LargeFiles.Places();
    private boolean isUnknown;
    /** The bytes of files that are brought whole. */
    private long wholeBytes;

    private Optional<StartPlace> place = Optional.empty();
    private boolean over;
    /** The time of the first read, or, before that, of the first lookup. */
    private long first;

    private long last;

    /** Notes that the container read a file; returns whether the rest of it is worth bringing. */
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

    /** Counts a file that is to be brought whole; returns whether it fits beside those before it. */
    synchronized boolean addWhole(long bytes, long mostBytes) {
        boolean fits = wholeBytes + bytes <= mostBytes;
        wholeBytes += fits ? bytes : 0;
        return fits;
    }

    /** Notes that the container's image has no start pack. */
    synchronized void isUnknown() {
        isUnknown = true;
    }

    /** Notes that the container looked up a path, or listed a directory. */
    synchronized void name(String name, long now) {
        if (!over && names.size() < StartPack.MOST_NAMES) {
            if (ranges.isEmpty() && names.isEmpty()) {
                first = now;
            }
            names.add(name);
        }
    }

    /** Notes the place of the image's start pack: the container may be removed before its start is over. */
    synchronized void isOf(StartPlace image) {
        place = Optional.of(image);
    }

    /** Returns the requests, once the start is over. */
    synchronized Optional<Asked> take(long now) {
        boolean isLong = now - first >= LONGEST.toNanos();
        if (ranges.isEmpty() && isLong) {
            // A client looked into the container, and nothing has started: the recording begins anew with the next
            // name.
            names.clear();
        }
        return isLong || now - last >= QUIET.toNanos() ? end() : Optional.empty();
    }

    /** Returns the requests until now: the start is over. */
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
