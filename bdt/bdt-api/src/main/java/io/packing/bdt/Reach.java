// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FileVersion;
import java.util.List;

/**
 * The positions that a table has given out. A version outside of them comes from another timeline of the mount, which
 * another copy of the table had.
 *
 * @param position the last one
 * @param gaps that it skipped
 */
public record Reach(long position, List<Gap> gaps) {
    /** The reach of a table that does not report it: it may have given out every position. */
    public static final Reach ANY = new Reach(Long.MAX_VALUE, List.of());

    /**
     * A range of positions that a start skipped.
     *
     * @param after the last one before them
     * @param until the last one of them
     */
    public record Gap(long after, long until) {}

    public Reach {
        gaps = List.copyOf(gaps);
    }

    /** Returns whether the table may have given out a version. */
    public boolean has(FileVersion version) {
        long generation = version.generation();
        return generation <= position
                && gaps.stream().noneMatch(gap -> generation > gap.after && generation <= gap.until);
    }
}
