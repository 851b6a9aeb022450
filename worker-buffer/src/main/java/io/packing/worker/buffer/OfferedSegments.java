// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * Segments whose files may become the next blob.
 *
 * @param from the smallest id of their files
 * @param to the largest one
 */
record OfferedSegments(Set<BufferSegment> segments, long from, long to) {
    OfferedSegments {
        segments = Set.copyOf(segments);
    }

    /** Collects segments with the range of their files' ids; empty without a segment. */
    static Optional<OfferedSegments> of(Collection<BufferSegment> segments) {
        long from = Long.MAX_VALUE;
        long to = 0;
        for (BufferSegment segment : segments) {
            from = Math.min(from, segment.use().minId());
            to = Math.max(to, segment.use().maxId());
        }
        return segments.isEmpty() ? Optional.empty() : Optional.of(new OfferedSegments(Set.copyOf(segments), from, to));
    }

    boolean contains(BufferSegment segment) {
        return segments.contains(segment);
    }
}
