package io.packing.trace.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;

/** Which libraries asked for what, as far as the stacks of calls were recorded. */
final class AskerFigures {
    private static final int MOST_LIBRARIES = 100;

    private AskerFigures() {}

    /** The groups of Figure 2.25 as the paper has them. */
    static List<String> forced() {
        List<String> groups = new ArrayList<>(Askers.causes());
        groups.add("not forced");
        return groups;
    }

    /** What each library asked for, most calls first. */
    static Figure libraries(SystemFindings findings) {
        Table.Builder table = Table.of("library", "calls", "bytes_read", "bytes_written");
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
                "Who asked for calls: the innermost library, or program, that is no layer of the system's. Empty for"
                        + " recordings without --stacks.",
                table.build());
    }
}
