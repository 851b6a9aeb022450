// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.worker.api.BufferValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The segments of a buffer, each kept as long as a file needs it. Guarded by its {@link BufferState}. */
final class BufferSegments {
    private static final Logger LOG = LoggerFactory.getLogger(BufferSegments.class);

    private final Path directory;
    private final BufferIndex index;
    private final SegmentFiles files;
    private final Optional<ValueStore> values;
    private final BufferValues place;
    private final SegmentGrants grants;
    private final LongSupplier nanoTime;
    private final NavigableMap<Long, BufferSegment> segments = new TreeMap<>();
    /** The segments whose checkpoints have moved since the index got them. */
    private final Set<BufferSegment> moved = new LinkedHashSet<>();

    private long next;

    /**
     * @param values the store of small files' records when {@code place} says so
     * @param grants keeps the versions of the files in each segment, as long as the segment exists
     */
    BufferSegments(
            Path directory,
            BufferIndex index,
            SegmentFiles files,
            Optional<ValueStore> values,
            BufferValues place,
            SegmentGrants grants,
            LongSupplier nanoTime) {
        this.directory = directory;
        this.index = index;
        this.files = files;
        this.values = values;
        this.place = place;
        this.grants = grants;
        this.nanoTime = nanoTime;
    }

    /** Takes over the segments of an earlier process. */
    void recovered(BufferRecovery recovery) {
        segments.putAll(recovery.segments);
        next = recovery.nextSegment;
    }

    Optional<BufferSegment> find(long number) {
        return Optional.ofNullable(segments.get(number));
    }

    BufferSegment get(long number) {
        return find(number)
                .orElseThrow(() -> new IllegalStateException("%s: no segment %d".formatted(directory, number)));
    }

    /** Returns all segments, oldest first. */
    Collection<BufferSegment> all() {
        return Collections.unmodifiableCollection(segments.values());
    }

    /** Creates a segment for small files; the given buffer gathers its records. */
    BufferSegment create(ByteBuffer gather) throws IOException {
        long number = next++;
        BufferSegment segment = place == BufferValues.STORE
                ? BufferSegment.create(number, values.orElseThrow(), nanoTime.getAsLong())
                : BufferSegment.create(
                        number,
                        path(number, BufferRecovery.SUFFIX),
                        files,
                        false,
                        nanoTime.getAsLong(),
                        Optional.of(gather));
        segments.put(number, segment);
        return segment;
    }

    /** Creates a segment for one large file, always a file of its own. */
    BufferSegment createLarge() throws IOException {
        long number = next++;
        Path path = path(number, BufferRecovery.DEDICATED);
        BufferSegment segment = BufferSegment.create(number, path, files, true, nanoTime.getAsLong(), Optional.empty());
        segments.put(number, segment);
        return segment;
    }

    private Path path(long number, String suffix) {
        return directory.resolve("%012d%s".formatted(number, suffix));
    }

    /** Notes the version of a file beside its segment, before its writer learns of it. */
    void granted(FileRow row) {
        grants.note(row.segment(), row.id(), row.generation());
    }

    /** Notes that the checkpoint of a segment may have changed. */
    void moved(BufferSegment segment) {
        moved.add(segment);
    }

    /** Notes in the index the checkpoint up to which a start does not scan each segment. */
    void checkpoint() {
        moved.forEach(
                segment -> index.checkpoint(segment.number(), segment.use().checkpoint()));
        moved.clear();
    }

    /** Deletes a segment that no thread writes or packs and no file needs. */
    void dropIfUnused(BufferSegment segment) {
        if (segment.use().isUnused() && segments.remove(segment.number()) != null) {
            moved.remove(segment);
            index.removeCheckpoint(segment.number());
            try {
                segment.delete();
                grants.delete(segment.number());
            } catch (IOException e) {
                // The next start finds the file, and the master says that it needs none of its files.
                LOG.warn("cannot delete {}", segment, e);
            }
        }
    }

    /** Returns a rolled segment to make a blob of; gives each out once. */
    Optional<BufferSegment> take(boolean dedicatedOnly) {
        for (BufferSegment segment : segments.values()) {
            if (segment.use().isReady() && (segment.dedicated() || !dedicatedOnly)) {
                segment.use().seal();
                return Optional.of(segment);
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether no file needs these segments any more.
     *
     * @throws IOException when the rest are files that the disk damaged, and that therefore stay
     */
    boolean gone(List<BufferSegment> contents) throws IOException {
        List<BufferSegment> left = contents.stream()
                .filter(segment ->
                        segments.containsKey(segment.number()) && segment.use().isNeeded())
                .toList();
        if (!left.isEmpty() && left.stream().allMatch(segment -> segment.use().isOnly(BufferedFile.State.DAMAGED))) {
            throw new IOException(
                    "%s: %s hold damaged files that cannot be packed: delete those files or write them again"
                            .formatted(directory, left));
        }
        return left.isEmpty();
    }

    /** Returns whether a segment fits this. */
    boolean any(Predicate<SegmentUse> asked) {
        return segments.values().stream().map(BufferSegment::use).anyMatch(asked);
    }

    /** Returns the age of the oldest segment with files that are not pushed; 0 without one. */
    long oldestNanos(long now) {
        return segments.values().stream()
                .filter(segment -> segment.use().hasUnpushed())
                .mapToLong(segment -> now - segment.openedNanos())
                .max()
                .orElse(0);
    }

    /** Returns whether the segment has no record. */
    static boolean isBlank(BufferSegment segment) {
        return segment.position() <= SegmentStart.SIZE;
    }

    void close() throws IOException {
        for (BufferSegment segment : segments.values()) {
            segment.close();
        }
        segments.clear();
        grants.close();
    }
}
