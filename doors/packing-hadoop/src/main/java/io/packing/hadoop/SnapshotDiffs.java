// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.FileStatus;
import io.packing.bdt.tree.Difference;
import io.packing.bdt.tree.TreeDiff;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffReportEntry;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport.DiffType;
import org.jspecify.annotations.Nullable;

/**
 * The differences between two snapshots of a directory, in HDFS's form. Each entry has its name in the first snapshot,
 * also below a renamed directory, and only a rename has a second name. Its classes are those of HDFS's client; nothing
 * else of the file system needs them.
 */
final class SnapshotDiffs {
    /** The former path of each renamed entry, by its present path. */
    private final Map<FilePath, FilePath> renames = new HashMap<>();

    private final BdtLookups bdt;
    private final FilePath before;
    private final FilePath after;

    private SnapshotDiffs(BdtLookups bdt, FilePath before, FilePath after, List<Difference> differences) {
        this.bdt = bdt;
        this.before = before;
        this.after = after;
        for (Difference each : differences) {
            each.from().ifPresent(from -> renames.put(each.path(), from));
        }
    }

    /**
     * Returns the report of a directory.
     *
     * @param from a snapshot's name; null, empty or a dot: the directory as it is now
     * @param to likewise
     */
    static SnapshotDiffReport between(
            BdtLookups bdt, Path directory, FilePath path, @Nullable String from, @Nullable String to)
            throws IOException {
        String first = name(from);
        String second = name(to);
        FilePath before = tree(bdt, directory, path, first);
        FilePath after = tree(bdt, directory, path, second);
        List<Difference> differences = TreeDiff.between(bdt, before, after);
        SnapshotDiffs diffs = new SnapshotDiffs(bdt, before, after, differences);
        List<DiffReportEntry> entries = new ArrayList<>();
        for (Difference each : differences) {
            entries.addAll(diffs.entries(each));
        }
        return new SnapshotDiffReport(path.value(), first, second, entries);
    }

    private static String name(@Nullable String snapshot) {
        return snapshot == null || snapshot.equals(".") ? "" : snapshot;
    }

    private static FilePath tree(BdtLookups bdt, Path directory, FilePath path, String snapshot) throws IOException {
        FilePath tree =
                snapshot.isEmpty() ? path : path.child(FilePath.SNAPSHOTS).child(snapshot);
        Optional<FileStatus> there = bdt.stat(tree);
        if (there.isEmpty() || !there.get().isDirectory()) {
            throw new FileNotFoundException(
                    snapshot.isEmpty()
                            ? "%s is no directory".formatted(directory)
                            : "%s or its snapshot %s not found".formatted(directory, snapshot));
        }
        return tree;
    }

    private List<DiffReportEntry> entries(Difference difference) throws IOException {
        FilePath path = difference.path();
        return switch (difference.kind()) {
            case CREATED -> List.of(new DiffReportEntry(DiffType.CREATE, bytes(first(path, false))));
            case DELETED -> List.of(new DiffReportEntry(DiffType.DELETE, bytes(path)));
            case RENAMED ->
                List.of(new DiffReportEntry(
                        DiffType.RENAME, bytes(difference.from().orElseThrow()), bytes(path)));
            case MODIFIED ->
                isAnother(path)
                        ? List.of(
                                new DiffReportEntry(DiffType.DELETE, bytes(path)),
                                new DiffReportEntry(DiffType.CREATE, bytes(path)))
                        : List.of(new DiffReportEntry(DiffType.MODIFY, bytes(first(path, true))));
        };
    }

    /**
     * Returns whether another file is at a path. It may be older than the first and as long, and a tool that copies
     * only newer or longer files would leave it out.
     */
    private boolean isAnother(FilePath path) throws IOException {
        if (renames.containsKey(path)) {
            return false;
        }
        Optional<FileStatus> was = bdt.stat(FilePath.normalise(before + path.value()));
        Optional<FileStatus> is = bdt.stat(FilePath.normalise(after + path.value()));
        return was.isPresent()
                && is.isPresent()
                && !is.get().isDirectory()
                && was.get().version().id() != is.get().version().id();
    }

    /**
     * Returns the path that an entry had at first.
     *
     * @param itself whether the entry itself may have been renamed, and not only a directory above it
     */
    private FilePath first(FilePath path, boolean itself) {
        Optional<FilePath> above = itself ? Optional.of(path) : path.parent();
        while (above.isPresent()) {
            FilePath from = renames.get(above.get());
            if (from != null) {
                return new FilePath(from.value()
                        + path.value().substring(above.get().value().length()));
            }
            above = above.get().parent();
        }
        return path;
    }

    /** As HDFS has them: relative, without a slash at the start. */
    private static byte[] bytes(FilePath path) {
        return path.value().substring(1).getBytes(StandardCharsets.UTF_8);
    }
}
