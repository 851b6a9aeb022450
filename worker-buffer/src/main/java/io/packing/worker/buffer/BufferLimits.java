package io.packing.worker.buffer;

import io.packing.bdt.Durability;
import java.time.Duration;

/**
 * How much a buffer holds and when it gives up.
 *
 * @param maxBytes at which creators wait
 * @param blobMaxBytes at which the open segment is rolled
 * @param sealIdleBytes at which it is rolled while no push is under way; 0: never
 * @param sealAfter age at which it is rolled at the latest
 * @param sealPutsPerDay PUTs that may be spent on rolling it sooner; 0: none
 * @param fullTimeout how long a creator waits when nothing leaves the buffer
 * @param uploadGather how long those who wait for an upload wait for company; a fiftieth of it when none comes
 */
public record BufferLimits(
        long maxBytes,
        long blobMaxBytes,
        long sealIdleBytes,
        Duration sealAfter,
        double sealPutsPerDay,
        Duration fullTimeout,
        Duration uploadGather,
        Durability durability) {}
