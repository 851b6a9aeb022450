// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.messages;

import java.util.List;

/**
 * Turns of both sides which are compared as one: {@value #TURNS} of each, so ordered that neither gains by its place. What a
 * machine that gets slower or faster meanwhile gives to one it gives to the other, and as often as one side has its turn right
 * after its own the other has.
 *
 * @param traced turns with a trace
 * @param untraced as many without
 */
record ComparedTurns(List<Turn> traced, List<Turn> untraced) {
    /** The number of turns of each side; fewer are less well balanced. */
    static final int TURNS = 4;

    ComparedTurns {
        traced = List.copyOf(traced);
        untraced = List.copyOf(untraced);
        if (traced.isEmpty() || traced.size() != untraced.size()) {
            throw new IllegalArgumentException("%d traced turns, %d others".formatted(traced.size(), untraced.size()));
        }
    }

    /**
     * Returns whether the traced side begins the {@code number}-th pair of turns, from 0 over all rounds: by the Thue-Morse
     * sequence, anew in each round, the eight turns go T U U T U T T U.
     */
    static boolean tracedBegins(int number) {
        return Integer.bitCount(number % TURNS) % 2 == 0;
    }

    /** The traced throughput divided by the other. */
    double ratio() {
        return Turn.perSecond(traced) / Turn.perSecond(untraced);
    }

    /** Processor time of the traced servers divided by that of the others; not a number where it is not known. */
    double cpuRatio() {
        return Turn.cpuSeconds(traced) / Turn.cpuSeconds(untraced);
    }
}
