// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

/**
 * The limits within which small sequential calls on one stream become one event (§3.2.1 of the thesis; the original
 * collapsed to 4096 B).
 *
 * @param callBytes the largest call that collapses; 0 collapses nothing
 * @param runBytes limit of a run's bytes
 * @param ageNanos limit of a run's age
 */
public record CollapseLimits(long callBytes, long runBytes, long ageNanos) {
    public CollapseLimits {
        if (callBytes < 0 || runBytes < callBytes || ageNanos <= 0) {
            throw new IllegalArgumentException(
                    "bad collapse limits: calls of %d B, runs of %d B, %d ns".formatted(callBytes, runBytes, ageNanos));
        }
    }
}
