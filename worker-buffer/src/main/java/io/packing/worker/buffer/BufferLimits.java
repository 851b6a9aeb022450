// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.bdt.Durability;
import io.packing.blob.SealPolicy;
import java.time.Duration;

/**
 * The limits of a buffer, and the terms by which it seals.
 *
 * @param maxBytes buffered bytes at which creators wait
 * @param blobMaxBytes size at which the open segment is rolled
 * @param sealIdleBytes size at which it is rolled while no push is under way; 0: none
 * @param seal terms by which it is rolled before it is full
 * @param fullTimeout the longest wait of a creator while no file leaves the buffer
 * @param uploadGather the time for which closers that wait for an upload wait for company; a fiftieth of it when none
 *     comes
 */
public record BufferLimits(
        long maxBytes,
        long blobMaxBytes,
        long sealIdleBytes,
        SealPolicy.SealOptions seal,
        Duration fullTimeout,
        Duration uploadGather,
        Durability durability) {}
