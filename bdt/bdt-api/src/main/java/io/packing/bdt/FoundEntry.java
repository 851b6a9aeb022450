package io.packing.bdt;

import java.util.Optional;

/**
 * What is at one of several paths that were looked up at once.
 *
 * @param entry what is there. A file without a placement is one that the caller may look up and not read. Empty: nothing is there, or the
 *     caller may not know
 * @param denied why the caller may not look the path up; empty: they may
 */
public record FoundEntry(Optional<ListedEntry> entry, Optional<String> denied) {
    /** Paths that can be looked up at once. */
    public static final int MOST_PATHS = 1_000;

    /** Nothing is there. */
    public static final FoundEntry NOTHING = new FoundEntry(Optional.empty(), Optional.empty());

    public FoundEntry {
        if (entry.isPresent() && denied.isPresent()) {
            throw new IllegalArgumentException("an entry that is denied: " + denied.get());
        }
    }

    public static FoundEntry of(ListedEntry entry) {
        return new FoundEntry(Optional.of(entry), Optional.empty());
    }

    public static FoundEntry of(DeniedException why) {
        return new FoundEntry(Optional.empty(), Optional.of(String.valueOf(why.getMessage())));
    }

    /** Refuses more paths than can be looked up at once. */
    public static void checkCount(int paths) {
        if (paths > MOST_PATHS) {
            throw new IllegalArgumentException(
                    "%d paths to look up at once, of at most %d: ask in parts".formatted(paths, MOST_PATHS));
        }
    }
}
