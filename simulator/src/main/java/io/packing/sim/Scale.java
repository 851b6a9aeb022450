// SPDX-License-Identifier: Apache-2.0
package io.packing.sim;

/**
 * The ratio of the simulated machine to the paper's.
 *
 * <p>A trace may have a share {@code machine} of a machine's requests in a share {@code time} of its days. If both
 * shares are equal, it stands for the machine: rates are real, and caches of that share of their size see the pattern
 * of a smaller data set. Times and sizes in configurations and reports are always the paper's.
 *
 * @param machine simulated part of a machine's files and requests; caches shrink by it
 * @param time simulated part of the time
 */
public record Scale(double machine, double time) {
    /** The scale of recorded traces: nothing shrinks. */
    public static final Scale FULL = new Scale(1, 1);

    public Scale {
        if (!(machine > 0 && machine <= 1 && time > 0 && time <= 1)) {
            throw new IllegalArgumentException("bad scale: %s of the machine, %s of the time".formatted(machine, time));
        }
    }

    public long bytes(long real) {
        return Math.round(real * machine);
    }

    public long nanos(long real) {
        return real == Long.MAX_VALUE ? real : Math.round(real * time);
    }
}
