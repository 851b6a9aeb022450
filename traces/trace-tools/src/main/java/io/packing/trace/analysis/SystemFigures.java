// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The tables and figures of chapter 2, from the findings about system calls: a bar for each task. */
final class SystemFigures {
    private static final double MB = 1 << 20;
    private static final double NANOS = 1e9;

    private final SystemFindings findings;
    private final List<String> tasks = new ArrayList<>();

    SystemFigures(SystemFindings findings) {
        this.findings = findings;
        findings.tasks().forEach(tasks::add);
    }

    List<Figure> all() {
        List<Figure> figures = new ArrayList<>();
        figures.add(taskTable());
        figures.add(timeline());
        figures.add(of(
                "2.2",
                "Types of opens",
                "Opens of files and directories, by whether their content was read or" + " written.",
                "file, accessed",
                "file, not accessed",
                "directory, read",
                "directory, not read"));
        figures.add(of(
                "2.3",
                "Bytes read from files and directories",
                "Bytes of files, and of entries of directories.",
                "files",
                "directories"));
        figures.add(of(
                "2.4",
                "Types of files by opens",
                "Opens of files by the type that their name tells.",
                SystemGroups.KINDS));
        figures.add(
                of("2.5", "Types of files by bytes", "Bytes read and written by type of file.", SystemGroups.KINDS));
        figures.add(of(
                "2.6", "File sizes by accesses", "Accesses by the size of the file at their end.", SystemGroups.SIZES));
        figures.add(of(
                "2.7",
                "File sizes by bytes",
                "Bytes of the accessed files by their size at the end of the access.",
                SystemGroups.SIZES));
        figures.add(of(
                "2.8",
                "Mapped files and requests",
                "Bytes moved by calls, and bytes of mapped files: those that page faults brought in, or, in a recording"
                        + " without page faults, all that was mapped. Programs are files with an executable mapping, and libraries.",
                "requests",
                "mapped",
                "mapped programs"));
        figures.add(of(
                "2.9",
                "Reads and writes by descriptor",
                "Accesses by the direction of their bytes.",
                "read",
                "write",
                "both"));
        figures.add(of(
                "2.10",
                "Reads and writes by bytes",
                "Bytes by the directions of their access.",
                "read only",
                "write only",
                "both: read",
                "both: written"));
        figures.add(of("2.11", "Read sizes", "Reads by the bytes that they returned.", SystemGroups.REQUESTS));
        figures.add(of("2.12", "Write sizes", "Writes by the bytes that they wrote.", SystemGroups.REQUESTS));
        figures.add(of("2.13", "Read sizes by bytes", "Bytes read by the size of the read.", SystemGroups.REQUESTS));
        figures.add(
                of("2.14", "Write sizes by bytes", "Bytes written by the size of the write.", SystemGroups.REQUESTS));
        figures.add(of(
                "2.15",
                "Read sequentiality",
                "Bytes read in accesses that read in one run, 95 % in one run, or" + " otherwise.",
                "sequential",
                "nearly",
                "other",
                "unknown"));
        figures.add(of(
                "2.16",
                "Write sequentiality",
                "Bytes written in accesses that wrote in one run, 95 % in one run, or otherwise.",
                "sequential",
                "nearly",
                "other",
                "unknown"));
        figures.add(of(
                "2.17",
                "Entire files read",
                "Bytes read sequentially: of the entire file or a part.",
                "entire file",
                "part of it"));
        figures.add(of(
                "2.18",
                "Preallocation",
                "Bytes by which files grew: by writes, by preallocation, and by preallocation"
                        + " that one write filled at once.",
                "written",
                "preallocated",
                "preallocated in vain"));
        figures.add(of(
                "2.19",
                "Opens during an access",
                "Accesses by opens of other files while they lasted.",
                SystemGroups.OPENS));
        figures.add(of(
                "2.20",
                "Metadata and data",
                "Metadata calls by kind, and accesses that moved data.",
                "stat",
                "access",
                "statfs",
                "xattr",
                "data"));
        figures.add(of(
                "2.21",
                "Reads of what was accessed before",
                "Bytes read, by whether they had been read or written" + " before.",
                "fresh",
                "read before",
                "written before"));
        figures.add(of(
                "2.22",
                "Overwrites",
                "Bytes written, by whether they had been read or written before.",
                "fresh",
                "read before",
                "written before"));
        figures.add(hints("2.23", "Hints by descriptor", "Opens of files that got a hint, of all.", "opens"));
        figures.add(hints("2.24", "Hints by file", "Files that got a hint, of all that were opened.", "inodes"));
        figures.add(of(
                "2.25",
                "Bytes forced to disk",
                "Bytes written by the call that forced them to disk.",
                "fsync",
                "fdatasync",
                "sync_file_range",
                "msync",
                "sync",
                "not forced"));
        figures.add(of(
                SystemEffects.FORCED_BY_ASKER,
                "Bytes forced to disk by cause",
                "Bytes forced to disk by the causes of the paper: needs a recording with --stacks.",
                AskerFigures.forced()));
        figures.add(of(
                "2.26",
                "Sizes of what is forced",
                "Calls that force a file to disk, by the bytes written since the one" + " before.",
                SystemGroups.FORCED));
        figures.add(atomic());
        figures.add(of(
                "2.28",
                "Causes of renames",
                "Renames by their causes: needs a recording with --stacks.",
                Askers.causes()));
        figures.add(of("2.29", "Locks", "Calls on locks.", "flock", "F_GETLK", "F_SETLK", "F_SETLKW"));
        figures.add(of(
                "2.30",
                "Asynchronous reads",
                "Bytes read by io_submit and by other calls.",
                "asynchronous",
                "synchronous"));
        figures.add(threads());
        figures.add(
                of("2.32", "Types of threads", "Threads by the direction of their bytes.", "read", "write", "both"));
        figures.add(AskerFigures.libraries(findings));
        figures.add(unseen());
        return figures;
    }

    private Figure taskTable() {
        FigureTable.Builder table = FigureTable.of(
                "task",
                "files",
                "files_mb",
                "accesses",
                "mb",
                "read_percent",
                "write_percent",
                "accesses_per_s",
                "mb_per_s",
                "cpu_s",
                "accesses_per_cpu_s",
                "mb_per_cpu_s");
        for (String task : tasks) {
            long read = count("table-2.2", task, "read");
            long written = count("table-2.2", task, "written");
            double seconds = count("table-2.2", task, "nanos") / NANOS;
            double processor = count("table-2.2", task, "processor_nanos") / NANOS;
            long accesses = count("table-2.2", task, "accesses");
            table.row(
                    task,
                    count("table-2.2", task, "files"),
                    count("table-2.2", task, "file_bytes") / MB,
                    accesses,
                    (read + written) / MB,
                    percent(read, read + written),
                    percent(written, read + written),
                    seconds == 0 ? 0.0 : accesses / seconds,
                    seconds == 0 ? 0.0 : (read + written) / MB / seconds,
                    processor,
                    processor == 0 ? 0.0 : accesses / processor,
                    processor == 0 ? 0.0 : (read + written) / MB / processor);
        }
        return Figure.ofNumbers(
                "tasks",
                "Tasks",
                "(Table 2.2) Files that were read or written, with their largest sizes; accesses; bytes moved; rates by"
                        + " elapsed time and by processor time, which only recordings by BPF have.",
                table.build());
    }

    private Figure timeline() {
        FigureTable.Builder table = FigureTable.of("task", "accesses", "files", "fsync", "rename", "runs_of_requests");
        Timeline timeline = findings.timeline();
        for (String task : tasks) {
            table.row(
                    task,
                    timeline.accesses().stream()
                            .filter(access -> access.task().equals(task))
                            .count(),
                    timeline.accesses().stream()
                            .filter(access -> access.task().equals(task))
                            .map(Timeline.Access::path)
                            .distinct()
                            .count(),
                    marks(task, "fsync"),
                    marks(task, "rename"),
                    timeline.requests().stream()
                            .filter(request -> request.task().equals(task))
                            .count());
        }
        String leftOut = timeline.leftOut() == 0
                ? ""
                : " %,d runs of requests, of the files with the fewest bytes, are left out."
                        .formatted(timeline.leftOut());
        return Figure.ofNumbers(
                "figure-2.1",
                "Timeline",
                "(Fig. 2.1) A task's accesses to all files, calls that force and rename, and the requests of any file."
                        + " Choose a task and a file; the wheel zooms, dragging moves, a click on a bar chooses its file."
                        + leftOut,
                table.build());
    }

    private long marks(String task, String what) {
        return findings.timeline().marks().stream()
                .filter(mark -> mark.task().equals(task) && mark.what().equals(what))
                .count();
    }

    private Figure of(String number, String title, String caption, String... groups) {
        return of(number, title, caption, List.of(groups));
    }

    /** Makes a figure with a bar for each task, of groups that add up to 100 %. */
    private Figure of(String number, String title, String caption, List<String> groups) {
        return figure(number, title, caption, groups, groups, "total");
    }

    /** @param whole groups that add up to the last column */
    private Figure figure(
            String number, String title, String caption, List<String> groups, List<String> whole, String total) {
        List<String> columns = new ArrayList<>();
        columns.add("task");
        columns.addAll(groups);
        columns.add(total);
        List<List<Object>> rows = new ArrayList<>();
        Map<String, List<Double>> bars = new LinkedHashMap<>();
        for (String task : tasks) {
            long sum = whole.stream()
                    .mapToLong(group -> count(number, task, group))
                    .sum();
            List<Object> row = new ArrayList<>();
            row.add(task);
            for (String group : groups) {
                long value = count(number, task, group);
                row.add(value);
                bars.computeIfAbsent(group, name -> new ArrayList<>()).add(percent(value, sum));
            }
            row.add(sum);
            rows.add(row);
        }
        FigureTable table = new FigureTable(columns, rows);
        String name = "figure-" + number;
        String text = "(Fig. %s) %s".formatted(number, caption);
        return tasks.isEmpty()
                ? Figure.ofNumbers(name, title, text, table)
                : Figure.drawn(name, title, text, Charts.bars("", "%", tasks, bars), table);
    }

    private Figure hints(String number, String title, String caption, String all) {
        return figure(
                number,
                title,
                caption
                        + " Prefetch is WILLNEED and readahead, drop is DONTNEED and NOREUSE, pattern is any other advice,"
                        + " direct is O_DIRECT.",
                List.of("prefetch", "drop", "pattern", "direct"),
                List.of(all),
                all);
    }

    private Figure atomic() {
        List<String> groups = List.of("rename, same directory", "rename, other directory", "exchange");
        List<String> columns = List.of("task", "atomic_writes", groups.get(0), groups.get(1), groups.get(2), "written");
        List<List<Object>> rows = new ArrayList<>();
        for (String task : tasks) {
            rows.add(List.of(
                    task,
                    count("2.27", task, "atomic writes"),
                    count("2.27", task, groups.get(0)),
                    count("2.27", task, groups.get(1)),
                    count("2.27", task, groups.get(2)),
                    count("table-2.2", task, "written")));
        }
        return Figure.ofNumbers(
                "figure-2.27",
                "Atomic writes",
                "(Fig. 2.27) Bytes that were written to a file which then got another name, or exchanged its own.",
                new FigureTable(columns, rows));
    }

    private Figure threads() {
        FigureTable.Builder table = FigureTable.of("task", "first", "second", "others", "threads");
        for (String task : tasks) {
            table.row(
                    task,
                    count("2.31", task, "first"),
                    count("2.31", task, "second"),
                    count("2.31", task, "others"),
                    count("2.31", task, "threads"));
        }
        return Figure.ofNumbers(
                "figure-2.31",
                "I/O by thread",
                "(Fig. 2.31) Bytes moved by the thread that moved most, the next, and all others; number of threads.",
                table.build());
    }

    private Figure unseen() {
        FigureTable.Builder table = FigureTable.of("reason", "count");
        findings.unseen().forEach(table::row);
        findings.irregular().forEach((kind, count) -> table.row("irregular: " + kind, count));
        return Figure.ofNumbers(
                "unseen",
                "Not seen",
                "Input and output that left no event, and what disturbed the recording.",
                table.build());
    }

    private long count(String figure, String task, String group) {
        return findings.count(figure, task, group);
    }

    private static double percent(long part, long whole) {
        return whole == 0 ? 0 : 100.0 * part / whole;
    }
}
