// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

/**
 * The range of bytes that a caller wants a volume to have.
 *
 * @param required 0: any
 * @param limit 0: none
 */
public record VolumeCapacity(long required, long limit) {
    public static final VolumeCapacity ANY = new VolumeCapacity(0, 0);

    /** Makes a range of a request. */
    public static VolumeCapacity of(long required, long limit) throws CsiRefusal {
        if (required < 0 || limit < 0) {
            throw CsiRefusal.invalid("a capacity below 0");
        }
        if (limit > 0 && limit < required) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.OUT_OF_RANGE,
                    "%,d bytes are required, and the limit is %,d".formatted(required, limit));
        }
        return new VolumeCapacity(required, limit);
    }

    /**
     * Returns the capacity of a new or larger volume; 0: without limit.
     *
     * @param least of what the volume is a clone of, or has already
     */
    long choose(long least) throws CsiRefusal {
        long chosen = Math.max(required, least);
        if (limit > 0 && chosen > limit) {
            throw new CsiRefusal(
                    CsiRefusal.Reason.OUT_OF_RANGE,
                    "the limit is %,d bytes, and the volume needs %,d: its source, or the volume itself, has that capacity"
                            .formatted(limit, chosen));
        }
        return chosen == 0 ? limit : chosen;
    }

    /** Returns whether a volume of this capacity is what the caller wants. */
    boolean accepts(long capacity) {
        return capacity == 0 ? equals(ANY) : capacity >= required && (limit == 0 || capacity <= limit);
    }
}
