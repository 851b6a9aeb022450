// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A comparison of a trace's files with the files of HDFS.
 *
 * @param files in HDFS
 * @param bytes of these files
 * @param tracedBytes of these bytes that the trace accounts for
 * @param discontinuities holes in files, and ranges that were written twice
 * @param unopenedStreams streams with writes that no call in the trace has opened
 * @param differences files that only one side has or whose lengths differ, in words; sorted by path
 * @param notFollowed calls in the trace that change lengths in ways that the check does not follow
 */
public record Completeness(
        long files,
        long bytes,
        long tracedBytes,
        long discontinuities,
        long unopenedStreams,
        List<String> differences,
        List<String> notFollowed) {
    public Completeness {
        differences = List.copyOf(differences);
        notFollowed = List.copyOf(notFollowed);
    }

    static Completeness of(
            Map<String, WrittenBytes> traced, FileLengths actual, long unopenedStreams, Set<String> notFollowed) {
        List<String> differences = new ArrayList<>();
        long bytes = 0;
        long tracedBytes = 0;
        for (Map.Entry<String, Long> file : new TreeMap<>(actual.byPath()).entrySet()) {
            bytes += file.getValue();
            WrittenBytes written = traced.get(file.getKey());
            if (written == null) {
                differences.add("%s: %d bytes, not in the trace".formatted(file.getKey(), file.getValue()));
                continue;
            }
            tracedBytes += Math.min(file.getValue(), written.length());
            if (written.length() != file.getValue()) {
                differences.add(
                        "%s: %d bytes, %d in the trace".formatted(file.getKey(), file.getValue(), written.length()));
            }
        }
        traced.forEach((path, written) -> {
            if (!actual.byPath().containsKey(path)) {
                differences.add("%s: not there, %d bytes in the trace".formatted(path, written.length()));
            }
        });
        long discontinuities = traced.values().stream()
                .mapToLong(WrittenBytes::discontinuities)
                .sum();
        return new Completeness(
                actual.byPath().size(),
                bytes,
                tracedBytes,
                discontinuities,
                unopenedStreams,
                differences,
                List.copyOf(notFollowed));
    }

    /** Returns whether every file follows from the trace. */
    public boolean isComplete() {
        return differences.isEmpty() && discontinuities == 0 && unopenedStreams == 0 && notFollowed.isEmpty();
    }

    /** Returns one line for an operator, without the differences. */
    public String summary() {
        return isComplete()
                ? "complete: the length of all %,d files, %,d bytes, follows from the trace".formatted(files, bytes)
                : "NOT complete: %,d of %,d bytes follow from the trace; %,d files differ, %,d discontinuities, %,d streams without an opening call, calls not followed: %s"
                        .formatted(
                                tracedBytes, bytes, differences.size(), discontinuities, unopenedStreams, notFollowed);
    }
}
