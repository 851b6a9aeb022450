// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.RareAttributes;
import java.time.Clock;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The times of objects that the gateway writes. Their nanoseconds within a millisecond are random and never 0, by which an ETag knows the
 * bytes that it is of ({@link EtagMark}). Thread-safe if the random numbers are.
 */
public final class WriteClock {
    private final Clock clock;
    private final RandomGenerator random;

    public WriteClock(Clock clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    long millis() {
        return clock.millis();
    }

    /** Returns the mark of bytes that are written now. */
    EtagMark mark(String etag, long length) {
        return new EtagMark(etag, length, clock.millis(), 1 + random.nextInt(RareAttributes.NANOS - 1));
    }

    /**
     * Returns the change that gives a file the attributes of an object, and the time of its mark.
     *
     * @param isNew true if the file has no attributes of the gateway
     */
    static AttributeChange change(ObjectAttributes attributes, boolean isNew) {
        EtagMark mark = attributes.etag().orElseThrow();
        return AttributeChange.ofMtime(mark.millis())
                .with(new RareAttributeChange(attributes.steps(isNew), mark.nanos(), Optional.empty()));
    }
}
