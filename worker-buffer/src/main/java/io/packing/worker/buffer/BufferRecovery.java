// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.blob.BlobHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recovery of the index from the segments: it removes rows of vanished segments, and adds records after each
 * segment's checkpoint. Without a usable index it scans every segment from its start.
 */
final class BufferRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(BufferRecovery.class);
    static final String SUFFIX = ".segment";
    static final String DEDICATED = ".slices";
    private static final int FLUSH_ROWS = 10_000;

    private final Path directory;
    private final BufferIndex index;
    private final SegmentFiles files;
    private final Optional<ValueStore> values;
    private final long nowNanos;
    final Map<Long, BufferSegment> segments = new TreeMap<>();
    long nextSegment;
    /** The bytes of records that were read because no checkpoint covered them. */
    long scannedBytes;

    /** The bytes behind the last whole records: of footers, of unfinished records, of older segments. */
    private long cutBytes;

    /** The slices of large files in segments of their own, by file id. */
    private final Map<Long, List<FileRow.Located>> slices = new HashMap<>();

    BufferRecovery(Path directory, BufferIndex index, SegmentFiles files, Optional<ValueStore> values, long nowNanos) {
        this.directory = directory;
        this.index = index;
        this.files = files;
        this.values = values;
        this.nowNanos = nowNanos;
    }

    void run(String bootId) throws IOException {
        index.trust(bootId);
        files.start();
        Map<Long, Path> paths = paths();
        Map<Long, Long> checkpoints = index.checkpoints();
        for (Map.Entry<Long, Path> entry : paths.entrySet()) {
            if (Files.size(entry.getValue()) < checkpoints.getOrDefault(entry.getKey(), 0L)) {
                // The index knows records that the segments do not have: it belongs to others.
                index.clear();
                index.trust(bootId);
                checkpoints = Map.of();
                break;
            }
        }
        List<Long> stored = values.isPresent() ? values.get().segments() : List.of();
        List<Long> doomed = values.isPresent() ? values.get().doomed() : List.of();
        doomed.forEach(number -> nextSegment = Math.max(nextSegment, number + 1));
        Set<Long> present = new HashSet<>(paths.keySet());
        present.addAll(stored);
        for (long known : checkpoints.keySet()) {
            nextSegment = Math.max(nextSegment, known + 1);
            if (!present.contains(known)) {
                index.removeCheckpoint(known);
            }
        }
        SegmentGrants.retain(directory, present);
        removeOrphans(present);
        for (long number : stored) {
            scanValues(number, checkpoints.getOrDefault(number, 0L));
        }
        for (Map.Entry<Long, Path> entry : paths.entrySet()) {
            scan(entry.getKey(), entry.getValue(), checkpoints.getOrDefault(entry.getKey(), 0L));
        }
        // Slices come last: they are of use only with the end of their file, which may be in a later segment.
        segments.values().stream()
                .filter(BufferSegment::dedicated)
                .forEach(segment ->
                        index.checkpoint(segment.number(), segment.use().checkpoint()));
        index.flush();
        LOG.info(
                "{}: {} segments, read {} bytes of records anew, cut off {} bytes behind them",
                directory,
                segments.size(),
                scannedBytes,
                cutBytes);
    }

    private Map<Long, Path> paths() throws IOException {
        Map<Long, Path> paths = new TreeMap<>();
        try (Stream<Path> list = Files.list(directory)) {
            for (Path path : list.toList()) {
                String name = path.getFileName().toString();
                if (name.endsWith(SUFFIX) || name.endsWith(DEDICATED)) {
                    paths.put(Long.parseLong(name.substring(0, name.indexOf('.'))), path);
                }
            }
        }
        return paths;
    }

    private void scan(long number, Path path, long from) throws IOException {
        nextSegment = Math.max(nextSegment, number + 1);
        SegmentScan scan = SegmentScan.of(path, from);
        if (scan.end < BlobHeader.SIZE) {
            Files.delete(path);
            index.removeCheckpoint(number);
            return;
        }
        cutBytes += Files.size(path) - scan.end;
        boolean dedicated = path.toString().endsWith(DEDICATED);
        BufferSegment segment = BufferSegment.reopen(number, path, files, dedicated, nowNanos, scan.end);
        segments.put(number, segment);
        enter(segment, scan);
        segment.use().placed(scan.end);
        if (!dedicated) {
            index.checkpoint(number, scan.end);
        }
    }

    private void scanValues(long number, long from) throws IOException {
        nextSegment = Math.max(nextSegment, number + 1);
        SegmentScan scan = new SegmentScan();
        scan.end = Math.max(BlobHeader.SIZE, from);
        ValueStore store = values.orElseThrow();
        store.scan(number, scan);
        BufferSegment segment = BufferSegment.reopen(number, store, nowNanos, scan.end);
        segments.put(number, segment);
        enter(segment, scan);
        segment.use().placed(scan.end);
        index.checkpoint(number, scan.end);
    }

    /**
     * Removes rows without a segment: a process may end between the deletion of a segment and the next batch of the
     * index.
     */
    private void removeOrphans(Set<Long> present) throws IOException {
        try (BufferIndex.Rows rows = index.rows(0, Long.MAX_VALUE)) {
            for (Optional<FileRow> row = rows.next(); row.isPresent(); row = rows.next()) {
                FileRow file = row.get();
                boolean whole = present.contains(file.segment())
                        && file.parts().stream().allMatch(part -> present.contains(part.segment()));
                if (!whole) {
                    index.remove(file.id());
                    flushWhenMany();
                }
            }
        }
        index.flush();
    }

    private void enter(BufferSegment segment, SegmentScan scan) throws IOException {
        Map<Long, Long> generations =
                scan.records.isEmpty() ? Map.of() : SegmentGrants.read(directory, segment.number());
        // A shared segment has all slices of a file. A crash may have left the same slices in a segment of their own,
        // from which they were copied.
        Map<Long, List<FileRow.Located>> known = segment.dedicated() ? slices : new HashMap<>();
        for (SegmentScan.Found found : scan.records) {
            enter(segment, found, known, generations);
        }
    }

    private void enter(
            BufferSegment segment,
            SegmentScan.Found found,
            Map<Long, List<FileRow.Located>> known,
            Map<Long, Long> generations)
            throws IOException {
        SegmentRecord record = found.record();
        scannedBytes += found.headerBytes() + record.storedLength();
        List<FileRow.Located> parts = record.kind() == SegmentRecord.Kind.FILE
                ? new ArrayList<>()
                : known.computeIfAbsent(record.fileId(), id -> new ArrayList<>());
        record.extentAt(found.at(), found.headerBytes())
                .ifPresent(extent -> parts.add(new FileRow.Located(segment.number(), extent)));
        if (record.kind() == SegmentRecord.Kind.SLICE) {
            return;
        }
        long length = parts.stream().mapToLong(part -> part.extent().length()).sum();
        if (length != record.attributes().length() || index.get(record.fileId()).isPresent()) {
            return;
        }
        // Without a noted version the master says if it granted the file; it also says if the file is still wanted.
        long generation = generations.getOrDefault(record.fileId(), 0L);
        index.put(
                new FileRow(record.fileId(), generation, record.path(), record.attributes(), segment.number(), parts));
        flushWhenMany();
    }

    private void flushWhenMany() throws IOException {
        if (index.unwritten() >= FLUSH_ROWS) {
            index.flush();
        }
    }
}
