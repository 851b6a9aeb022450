package io.packing.worker.buffer;

import io.packing.bdt.Durability;
import io.packing.blob.SealRule;
import java.time.Duration;

/**
 * How much a buffer holds and when it gives up.
 *
 * @param maxBytes at which creators wait
 * @param blobMaxBytes at which the open segment is rolled
 * @param sealIdleBytes at which it is rolled while no push is under way; 0: never
 * @param seal when it is rolled before it is full
 * @param fullTimeout how long a creator waits when nothing leaves the buffer
 * @param uploadGather how long those who wait for an upload wait for company; a fiftieth of it when none comes
 */
public record BufferLimits(
        long maxBytes,
        long blobMaxBytes,
        long sealIdleBytes,
        SealRule.Terms seal,
        Duration fullTimeout,
        Duration uploadGather,
        Durability durability) {}
