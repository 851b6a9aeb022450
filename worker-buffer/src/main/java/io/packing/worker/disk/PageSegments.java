// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.disk;

import io.packing.blob.BlobName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The segments in a directory, within a limit of bytes: it deletes the oldest one before it begins a new one. Confined
 * to one thread, but for {@link #bytes}.
 */
final class PageSegments {
    private static final Logger LOG = LoggerFactory.getLogger(PageSegments.class);

    private final Path directory;
    private final long mostBytes;
    private final long segmentBytes;
    private final Listener listener;
    private final AtomicLong bytes = new AtomicLong();
    /** The complete segments, oldest first. */
    private final Deque<PageSegment> sealed = new ArrayDeque<>();

    private Optional<PageAppender> open = Optional.empty();
    private long nextNumber;

    /** The place of a page: its segment, the offset of its header, and the bytes of both. */
    record Location(PageSegment segment, int offset, int bytes) {}

    /** A receiver of the pages of an earlier process, and of the segments that go. */
    interface Listener {
        /** Receives a page of an earlier process; a later one of its name replaces it. */
        void found(BlobPage page, Location at);

        /** Receives a segment before its deletion. */
        void leaving(PageSegment segment);
    }

    PageSegments(Path directory, long mostBytes, long segmentBytes, Listener listener) {
        this.directory = directory;
        this.mostBytes = mostBytes;
        this.segmentBytes = segmentBytes;
        this.listener = listener;
    }

    /** Takes over the segments of an earlier process, and deletes those that it cannot read. */
    void load() throws IOException {
        Map<Long, Path> found = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            files.forEach(file -> PageSegment.number(file).ifPresent(number -> found.put(number, file)));
        }
        // All pages of a blob share one name in memory.
        Map<BlobName, BlobName> names = new HashMap<>();
        for (Map.Entry<Long, Path> each : found.entrySet()) {
            PageSegment segment = PageSegment.of(each.getValue());
            nextNumber = each.getKey() + 1;
            try {
                for (PageSegment.Found page : segment.load()) {
                    found(segment, page, names);
                }
            } catch (IOException e) {
                LOG.warn("{} cannot be read, and is deleted", segment, e);
                listener.leaving(segment);
                segment.pages().clear();
            }
            if (segment.pages().isEmpty()) {
                segment.delete();
            } else {
                bytes.addAndGet(segment.bytes());
                sealed.addLast(segment);
            }
        }
        evict(0);
    }

    private void found(PageSegment segment, PageSegment.Found found, Map<BlobName, BlobName> names) {
        PageHeader header = found.header();
        if (header.live()) {
            BlobName name = names.computeIfAbsent(header.page().blob(), blob -> blob);
            BlobPage page = new BlobPage(name, header.page().number());
            segment.pages().add(page);
            listener.found(page, new Location(segment, Math.toIntExact(found.offset()), header.recordBytes()));
        }
    }

    /** Deletes the oldest segments until so many bytes fit. */
    private void evict(long more) throws IOException {
        while (!sealed.isEmpty() && bytes.get() + more > mostBytes) {
            PageSegment oldest = sealed.removeFirst();
            listener.leaving(oldest);
            oldest.delete();
            bytes.addAndGet(-oldest.bytes());
        }
    }

    /** Returns the bytes of the files. */
    long bytes() {
        return bytes.get();
    }

    /** Writes a page at the end. */
    Location append(PageHeader header, ByteBuffer page) throws IOException {
        if (open.isPresent() && !open.get().fits(header, segmentBytes)) {
            seal();
        }
        if (open.isEmpty()) {
            evict(segmentBytes);
            open = Optional.of(PageAppender.create(PageSegment.create(directory, nextNumber++)));
        }
        PageSegment segment = open.get().segment();
        long offset = open.get().append(header, page);
        bytes.addAndGet(header.recordBytes());
        return new Location(segment, Math.toIntExact(offset), header.recordBytes());
    }

    /** Ends the open segment, if one is open. */
    void seal() throws IOException {
        if (open.isPresent()) {
            PageAppender appender = open.get();
            open = Optional.empty();
            long before = appender.segment().bytes();
            appender.seal();
            bytes.addAndGet(appender.segment().bytes() - before);
            sealed.addLast(appender.segment());
        }
    }

    /** Deletes all segments. */
    void deleteAll() throws IOException {
        if (open.isPresent()) {
            open.get().close();
            sealed.addLast(open.get().segment());
            open = Optional.empty();
        }
        while (!sealed.isEmpty()) {
            sealed.removeFirst().delete();
        }
        bytes.set(0);
    }
}
