// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A partial change of owner, group, mode and modification time, and of extras.
 *
 * @param mtimeMillis milliseconds since the epoch
 */
public record AttributeChange(
        Optional<String> owner,
        Optional<String> group,
        OptionalInt mode,
        OptionalLong mtimeMillis,
        RareAttributeChange extra) {
    /** A change of no attribute. */
    public static final AttributeChange NONE =
            new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalLong.empty());

    /** Makes a change without extras. */
    public AttributeChange(Optional<String> owner, Optional<String> group, OptionalInt mode, OptionalLong mtimeMillis) {
        this(owner, group, mode, mtimeMillis, RareAttributeChange.NONE);
    }

    /** Makes a change without a time. */
    public AttributeChange(Optional<String> owner, Optional<String> group, OptionalInt mode) {
        this(owner, group, mode, OptionalLong.empty());
    }

    /** Returns a change of the time alone. */
    public static AttributeChange ofMtime(long mtimeMillis) {
        return new AttributeChange(
                Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalLong.of(mtimeMillis));
    }

    /** Returns a change of extended attributes alone. */
    public static AttributeChange ofExtended(ExtendedChange... steps) {
        return NONE.with(RareAttributeChange.of(steps));
    }

    /** Returns this change with other extras. */
    public AttributeChange with(RareAttributeChange other) {
        return new AttributeChange(owner, group, mode, mtimeMillis, other);
    }
}
