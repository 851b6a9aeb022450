package io.packing.cli.dedup;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import io.packing.blob.FileVersion;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Counts the bytes of contents that files have, each once, however many files have it. */
final class PhysicalBytes {
    private long total;
    private final Set<FileVersion> whole = new HashSet<>();
    private final Map<FileVersion, RangeSet<Long>> parts = new HashMap<>();

    /** Counts a file that has no map. It may be there by several paths: a clone of a directory shows the files of its origin. */
    void add(FileVersion version, long length) {
        if (whole.add(version)) {
            total += length;
            parts.remove(version);
        }
    }

    void add(ByteMap map) {
        map.references().forEach(this::add);
    }

    private void add(ByteMap.Reference reference) {
        if (reference.isWhole()) {
            add(reference.content(), reference.length());
        } else if (!whole.contains(reference.content())) {
            parts.computeIfAbsent(reference.content(), content -> TreeRangeSet.create())
                    .add(Range.closedOpen(reference.contentOffset(), reference.contentOffset() + reference.length()));
        }
    }

    long total() {
        return total
                + parts.values().stream()
                        .flatMap(ranges -> ranges.asRanges().stream())
                        .mapToLong(range -> range.upperEndpoint() - range.lowerEndpoint())
                        .sum();
    }
}
