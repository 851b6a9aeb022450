// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation;

import io.packing.simulation.schedule.FaultKind;
import io.packing.simulation.schedule.ScheduleMask;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The options that leave parts of schedules out. */
public final class MaskOptions {
    @Option(
            names = "--without",
            paramLabel = "KIND",
            split = ",",
            description = "Leaves these kinds of faults out of each schedule: ${COMPLETION-CANDIDATES}.")
    private Set<FaultKind> without = EnumSet.noneOf(FaultKind.class);

    @Option(
            names = "--most-faults",
            paramLabel = "N",
            defaultValue = "2147483647",
            description = "Faults of machines in each schedule, at most (default: as its seed draws).")
    private int mostFaults;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "3",
            description = "Clients (default: ${DEFAULT-VALUE}).")
    private int clients;

    /** Returns what the options leave out. */
    public ScheduleMask mask() {
        return new ScheduleMask(without, mostFaults, clients);
    }

    /** Returns the words of a command line by which a schedule has a mask. */
    public static String words(ScheduleMask mask) {
        StringBuilder words = new StringBuilder();
        if (!mask.without().isEmpty()) {
            words.append(" --without ")
                    .append(mask.without().stream()
                            .sorted()
                            .map(FaultKind::name)
                            .collect(Collectors.joining(",")));
        }
        if (mask.mostFaults() != ScheduleMask.NONE.mostFaults()) {
            words.append(" --most-faults ").append(mask.mostFaults());
        }
        if (mask.clients() != ScheduleMask.NONE.clients()) {
            words.append(" --clients ").append(mask.clients());
        }
        return words.toString();
    }
}
