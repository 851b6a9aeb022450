// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.bdt.Durability;
import io.packing.blob.SealPolicy;
import java.time.Duration;

/** The limits of a buffer in tests: plenty of room, and blobs of 20,000 bytes that only grow full. */
final class TestLimits {
    private TestLimits() {}

    static BufferLimits of(Durability durability) {
        return new BufferLimits(
                1L << 30,
                20_000,
                0,
                SealPolicy.SealOptions.age(Duration.ofHours(1)),
                Duration.ofSeconds(1),
                Duration.ofMillis(50),
                durability);
    }
}
