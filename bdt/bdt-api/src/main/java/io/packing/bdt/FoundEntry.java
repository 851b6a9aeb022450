// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.Optional;

/**
 * The result for one of several paths that were looked up at once.
 *
 * @param entry at the path. The caller may look up a file without a placement, but not read it. Empty: the path has no
 *     entry, or the caller may not know
 * @param denied the reason why the caller may not look the path up; empty without one
 */
public record FoundEntry(Optional<ListedEntry> entry, Optional<String> denied) {
    /** The most paths of one lookup. */
    public static final int MOST_PATHS = 1_000;

    /** The result for a path without an entry. */
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

    /** Refuses more paths than one lookup may have. */
    public static void checkCount(int paths) {
        if (paths > MOST_PATHS) {
            throw new IllegalArgumentException(
                    "%d paths to look up at once, of at most %d: ask in parts".formatted(paths, MOST_PATHS));
        }
    }
}
