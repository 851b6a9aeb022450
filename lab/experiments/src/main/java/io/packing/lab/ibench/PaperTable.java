// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The paper's tasks: what they do (Table 2.1), and their numbers (Table 2.2): files, their megabytes, accesses, megabytes moved,
 * read and written percent, accesses and megabytes per second of processor time.
 */
final class PaperTable {
    /** The table's columns; the last two depend on the machine's speed. */
    static final List<String> COLUMNS = List.of(
            "files",
            "files_mb",
            "accesses",
            "mb",
            "read_percent",
            "write_percent",
            "accesses_per_cpu_s",
            "mb_per_cpu_s");

    private final Map<String, List<Double>> rows = new LinkedHashMap<>();

    private final Map<String, String> descriptions = new LinkedHashMap<>();

    private PaperTable(String suite, String csv) {
        for (String line : suite.lines().skip(1).toList()) {
            int end = line.indexOf(';');
            descriptions.put(line.substring(0, end), line.substring(end + 1));
        }
        List<String> lines = csv.lines().toList();
        if (!lines.get(0).equals("task," + String.join(",", COLUMNS))) {
            throw new IllegalStateException("not Table 2.2: " + lines.get(0));
        }
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = List.of(line.split(",", -1));
            rows.put(
                    cells.get(0),
                    cells.subList(1, cells.size()).stream().map(Double::valueOf).toList());
        }
    }

    static PaperTable read() throws IOException {
        return new PaperTable(resource("table-2.1.csv"), resource("table-2.2.csv"));
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(PaperTable.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Returns the description of a task in Table 2.1. */
    Optional<String> description(String task) {
        return Optional.ofNullable(descriptions.get(task));
    }

    /** The numbers of a task, in the order of {@link #COLUMNS}. */
    Optional<List<Double>> of(String task) {
        return Optional.ofNullable(rows.get(task));
    }
}
