// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A change of a file's extras (RFC 0009), as a part of an {@link AttributeChange}.
 *
 * @param extended steps, in their order
 * @param nanos of the modification time that the change names, beyond its millisecond
 * @param changed the time of the last change of the file or its attributes; empty: with the modification time, if the
 *     change names one
 */
public record RareAttributeChange(List<ExtendedChange> extended, int nanos, Optional<Instant> changed) {
    /** A change of no extra. */
    public static final RareAttributeChange NONE = new RareAttributeChange(List.of(), 0, Optional.empty());

    /** The most bytes of the attributes in a claim: as many as a file may have. */
    public static final int MOST_BYTES = 128 << 10;

    /** The bytes of a step in a message, beside its name and value. */
    private static final int STEP_OVERHEAD = 16;

    public RareAttributeChange {
        extended = List.copyOf(extended);
        RareAttributes.checkNanos(nanos);
    }

    /** Returns a change of extended attributes alone. */
    public static RareAttributeChange of(ExtendedChange... steps) {
        return new RareAttributeChange(List.of(steps), 0, Optional.empty());
    }

    /** Returns a change that leaves a file with these extended attributes only. */
    public static RareAttributeChange exactly(Map<String, ExtendedValue> all) {
        return new RareAttributeChange(ExtendedChange.exactly(all), 0, Optional.empty());
    }

    /** Returns this change with the times of a status. */
    public RareAttributeChange withTimes(RareAttributes extras) {
        return new RareAttributeChange(extended, extras.nanos(), extras.changed());
    }

    /** Returns the bytes that the steps take in a message, at least; a character counts as one. */
    public long bytes() {
        return extended.stream()
                .mapToLong(step ->
                        STEP_OVERHEAD + step.name().length() + step.value().length())
                .sum();
    }

    public boolean isNone() {
        return equals(NONE);
    }
}
