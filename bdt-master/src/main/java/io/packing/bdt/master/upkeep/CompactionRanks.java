// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.master.table.read.RecentLookups;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * The order of files in a compacted blob: by directory and name, so that a read of a directory reads one stretch. If the table
 * remembers look-ups, the files of these come first, in the order of their last one. Confined to one thread.
 */
final class CompactionRanks {
    private static final Comparator<Ranked> BY_DIRECTORY = Comparator.<Ranked, FilePath>comparing(
                    file -> file.path().parent().orElse(FilePath.ROOT))
            .thenComparing(Ranked::path)
            .thenComparingLong(file -> file.version().id());

    private record Ranked(FileVersion version, FilePath path) {}

    private final RecentLookups lookups;
    private final List<Ranked> files = new ArrayList<>();

    CompactionRanks(RecentLookups lookups) {
        this.lookups = lookups;
    }

    /** Takes the files of a blob. */
    void add(CompactionPlanner.Source source) {
        for (int i = 0; i < source.files().size(); i++) {
            files.add(new Ranked(source.files().get(i).version(), source.paths().get(i)));
        }
    }

    /** Returns the rank of each file. */
    ToIntFunction<FileVersion> fix() {
        Map<Long, Long> latest =
                lookups.latest(files.stream().map(each -> each.version().id()).collect(Collectors.toSet()));
        files.sort(Comparator.<Ranked>comparingLong(
                        each -> latest.getOrDefault(each.version().id(), Long.MAX_VALUE))
                .thenComparing(BY_DIRECTORY));
        Map<FileVersion, Integer> ranks = new HashMap<>();
        files.forEach(each -> ranks.putIfAbsent(each.version(), ranks.size()));
        return version -> ranks.getOrDefault(version, ranks.size());
    }
}
