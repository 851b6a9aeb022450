package io.packing.bdt;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A partial change of owner, group, mode and modification time.
 *
 * @param mtimeMillis milliseconds since the epoch
 */
public record AttributeChange(
        Optional<String> owner, Optional<String> group, OptionalInt mode, OptionalLong mtimeMillis) {
    /** Changes nothing. */
    public static final AttributeChange NONE =
            new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalLong.empty());

    /** A change that leaves the time alone. */
    public AttributeChange(Optional<String> owner, Optional<String> group, OptionalInt mode) {
        this(owner, group, mode, OptionalLong.empty());
    }

    /** A change of the time alone. */
    public static AttributeChange ofMtime(long mtimeMillis) {
        return new AttributeChange(
                Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalLong.of(mtimeMillis));
    }
}
