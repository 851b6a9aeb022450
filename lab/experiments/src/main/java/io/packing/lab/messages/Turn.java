// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import java.time.Duration;
import java.util.List;

/**
 * The result of one side's turn.
 *
 * @param perSecond operations per second
 * @param cpu processor time that its servers took; zero where that is not known
 */
record Turn(double perSecond, Duration cpu) {
    /** Operations per second over several turns of as many operations each. */
    static double perSecond(List<Turn> turns) {
        return turns.size()
                / turns.stream().mapToDouble(turn -> 1 / turn.perSecond()).sum();
    }

    /** Processor time of all of them, in seconds. */
    static double cpuSeconds(List<Turn> turns) {
        return turns.stream().mapToLong(turn -> turn.cpu().toNanos()).sum() / 1e9;
    }
}
