// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.blob.Extent;
import io.packing.blob.PackedFile;
import io.packing.worker.buffer.BufferSegment;
import io.packing.worker.buffer.BufferedFile;
import io.packing.worker.buffer.FileBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The files of a segment that are to be packed, as the files of a blob. */
final class LivingFiles {
    private static final int SEGMENT_OVERHEAD = 4_096;
    private static final long HEAD_BYTES = 128;

    private LivingFiles() {}

    /** Returns whether these files have less than half of a segment, so that a copy of them is worth its work. */
    static boolean areSparse(BufferSegment segment, List<BufferedFile> living) {
        long needed =
                living.stream().mapToLong(file -> file.attributes().length()).sum();
        long overhead = living.stream().mapToLong(LivingFiles::overhead).sum() + SEGMENT_OVERHEAD;
        return !segment.dedicated() && 2 * needed < segment.position() - overhead;
    }

    /** Returns the bytes of a file's head in a segment: they alone do not make a copy worth its work. */
    static long overhead(BufferedFile file) {
        return HEAD_BYTES + file.path().value().length();
    }

    /** Returns the places of these files' bytes in a segment, without those of files that are gone. */
    static Map<BufferedFile, List<Extent>> places(FileBuffer buffer, BufferSegment segment, List<BufferedFile> living) {
        Map<BufferedFile, List<Extent>> placed = new LinkedHashMap<>();
        for (BufferedFile file : living) {
            buffer.parts(file).ifPresent(parts -> placed.put(file, within(segment, parts)));
        }
        return placed;
    }

    private static List<Extent> within(BufferSegment segment, List<BufferedFile.Part> parts) {
        List<Extent> extents = new ArrayList<>(parts.size());
        for (BufferedFile.Part part : parts) {
            if (part.segment() == segment) {
                extents.add(part.extent());
            }
        }
        return extents;
    }

    /** Returns the entries of a footer. */
    static List<PackedFile> packed(Map<BufferedFile, List<Extent>> placed) {
        return placed.entrySet().stream()
                .map(entry -> new PackedFile(
                        entry.getKey().version(),
                        entry.getKey().path(),
                        entry.getKey().attributes(),
                        entry.getValue()))
                .toList();
    }
}
