// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.OptionalLong;

/**
 * A change of a directory's quota.
 *
 * @param mostNames {@link #NO_LIMIT}, or the new limit; empty: as before
 * @param mostBytes {@link #NO_LIMIT}, or the new limit; empty: as before
 */
public record QuotaChange(OptionalLong mostNames, OptionalLong mostBytes) {
    public static final long NO_LIMIT = -1;

    /** A change that takes both limits away. */
    public static final QuotaChange CLEAR = new QuotaChange(OptionalLong.of(NO_LIMIT), OptionalLong.of(NO_LIMIT));

    public QuotaChange {
        check(mostNames, "names");
        check(mostBytes, "bytes");
        if (mostNames.isPresent() && mostNames.getAsLong() == 0) {
            throw new IllegalArgumentException("a quota of 0 names: the directory itself is one");
        }
    }

    private static void check(OptionalLong limit, String of) {
        if (limit.isPresent() && limit.getAsLong() < NO_LIMIT) {
            throw new IllegalArgumentException("a quota of %d %s: give 0 or more".formatted(limit.getAsLong(), of));
        }
    }

    /** Returns the limit of names after the change, given the one before. */
    public OptionalLong namesAfter(OptionalLong before) {
        return after(mostNames, before);
    }

    /** Returns the limit of bytes after the change, given the one before. */
    public OptionalLong bytesAfter(OptionalLong before) {
        return after(mostBytes, before);
    }

    private static OptionalLong after(OptionalLong change, OptionalLong before) {
        if (change.isEmpty()) {
            return before;
        }
        return change.getAsLong() == NO_LIMIT ? OptionalLong.empty() : change;
    }
}
