package io.packing.bdt;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A partial change of owner, group, mode and modification time, and of what few files have.
 *
 * @param mtimeMillis milliseconds since the epoch
 */
public record AttributeChange(
        Optional<String> owner, Optional<String> group, OptionalInt mode, OptionalLong mtimeMillis, ExtraChange extra) {
    /** Changes nothing. */
    public static final AttributeChange NONE =
            new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalLong.empty());

    /** A change that leaves alone what few files have. */
    public AttributeChange(Optional<String> owner, Optional<String> group, OptionalInt mode, OptionalLong mtimeMillis) {
        this(owner, group, mode, mtimeMillis, ExtraChange.NONE);
    }

    /** A change that leaves the time alone. */
    public AttributeChange(Optional<String> owner, Optional<String> group, OptionalInt mode) {
        this(owner, group, mode, OptionalLong.empty());
    }

    /** A change of the time alone. */
    public static AttributeChange ofMtime(long mtimeMillis) {
        return new AttributeChange(
                Optional.empty(), Optional.empty(), OptionalInt.empty(), OptionalLong.of(mtimeMillis));
    }

    /** A change of extended attributes alone. */
    public static AttributeChange ofExtended(ExtendedChange... steps) {
        return NONE.with(ExtraChange.of(steps));
    }

    /** The same with another change of what few files have. */
    public AttributeChange with(ExtraChange other) {
        return new AttributeChange(owner, group, mode, mtimeMillis, other);
    }
}
