// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;

/** The figures of the libraries that caused calls, as far as the stacks of calls were recorded. */
final class AskerFigures {
    private static final int MOST_LIBRARIES = 100;

    private AskerFigures() {}

    /** Returns the groups of Figure 2.25 in the paper's order. */
    static List<String> forced() {
        List<String> groups = new ArrayList<>(Askers.causes());
        groups.add("not forced");
        return groups;
    }

    /** Makes the table of the libraries' calls and bytes, most calls first. */
    static Figure libraries(SystemFindings findings) {
        FigureTable.Builder table = FigureTable.of("library", "calls", "bytes_read", "bytes_written");
        StreamSupport.stream(findings.libraries().spliterator(), false)
                .sorted(Comparator.comparingLong((String library) -> findings.asked(library, "calls"))
                        .reversed())
                .limit(MOST_LIBRARIES)
                .forEach(library -> table.row(
                        library,
                        findings.asked(library, "calls"),
                        findings.asked(library, "read"),
                        findings.asked(library, "written")));
        return Figure.ofNumbers(
                "libraries",
                "Calls by library",
                "The cause of calls: the innermost library, or program, that is no layer of the system. Empty for"
                        + " recordings without --stacks.",
                table.build());
    }
}
