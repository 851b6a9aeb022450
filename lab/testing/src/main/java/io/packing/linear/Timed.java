// SPDX-License-Identifier: Apache-2.0
package io.packing.linear;

/**
 * An operation of a history.
 *
 * @param call time of the call
 * @param end time at which the outcome was known; {@link #NEVER}: it may have happened at any time after the call, or
 *     not at all
 */
public record Timed<O>(O operation, long call, long end) {
    public static final long NEVER = Long.MAX_VALUE;

    public Timed {
        if (end < call) {
            throw new IllegalArgumentException("%s ended at %d, before its call at %d".formatted(operation, end, call));
        }
    }

    boolean isOpen() {
        return end == NEVER;
    }
}
