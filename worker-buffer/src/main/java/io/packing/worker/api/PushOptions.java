// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import java.time.Duration;

/**
 * The terms by which a worker begins to push before a blob is full.
 *
 * @param idleBytes size at which a blob is sealed while no push is under way; 0: none
 * @param ahead the time in which a blob has to be full, at the rate of its files, so that its push begins while it fills;
 *     0: never
 */
public record PushOptions(long idleBytes, Duration ahead) {
    /** The size at which a blob is sealed while the store is idle. */
    public static final Option<Long> IDLE_BYTES = new Option<>(
            "packing.seal.idle.bytes",
            "0",
            "Size at which a blob in arrival order is sealed while no push is under way; 0: only at "
                    + "packing.blob.max.bytes.",
            Parsers.bytesBetween(0, 4L << 30));

    /** The longest push of a blob that is not full yet. */
    public static final Option<Duration> AHEAD = new Option<>(
            "packing.push.ahead",
            "1m",
            "The PUT of a blob in arrival order begins while it fills if, at its rate, it is full within this "
                    + "time; 0s: when it is full. Needs trailing checksums, as S3 has; not with zstd, encryption, "
                    + "packing.durability=uploaded or packing.seal.idle.bytes.",
            Parsers::duration);

    static PushOptions from(Options options) {
        return new PushOptions(options.get(IDLE_BYTES), options.get(AHEAD));
    }
}
