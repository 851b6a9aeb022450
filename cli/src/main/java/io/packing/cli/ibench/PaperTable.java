package io.packing.cli.ibench;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The numbers of the paper's Table 2.2, by task: files, their megabytes, accesses, megabytes moved, read and written percent. */
final class PaperTable {
    /** The table's columns that do not depend on the machine's speed. */
    static final List<String> COLUMNS = List.of("files", "files_mb", "accesses", "mb", "read_percent", "write_percent");

    private final Map<String, List<Double>> rows = new LinkedHashMap<>();

    private PaperTable(String csv) {
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
        try (InputStream in = Objects.requireNonNull(PaperTable.class.getResourceAsStream("table-2.2.csv"))) {
            return new PaperTable(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** The numbers of a task, in the order of {@link #COLUMNS}. */
    Optional<List<Double>> of(String task) {
        return Optional.ofNullable(rows.get(task));
    }

    /** The numbers of all tasks. */
    List<List<Double>> all() {
        return List.copyOf(rows.values());
    }
}
