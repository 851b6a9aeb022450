// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A file of pages that only grows, until the cache deletes it as a whole. Each read opens the file: a deleted one then
 * has no page, and an interrupted reader closes only its own channel.
 */
final class PageSegment {
    static final String SUFFIX = ".pages";

    private final Path path;
    private final List<BlobPage> pages = new ArrayList<>();
    private volatile long bytes;

    private PageSegment(Path path) {
        this.path = path;
    }

    /** A page in a segment. */
    record Found(PageHeader header, long offset) {}

    /** Returns a new segment, whose file does not exist yet. */
    static PageSegment create(Path directory, long number) {
        return new PageSegment(directory.resolve(String.format(Locale.ROOT, "%012d%s", number, SUFFIX)));
    }

    /** Returns a segment of an earlier process; {@link #load} reads its pages. */
    static PageSegment of(Path path) {
        return new PageSegment(path);
    }

    /** Returns the number in the name of a segment's file; empty for other files. */
    static Optional<Long> number(Path path) {
        String name = path.getFileName().toString();
        return name.matches("[0-9]{12}\\" + SUFFIX)
                ? Optional.of(Long.valueOf(name.substring(0, name.length() - SUFFIX.length())))
                : Optional.empty();
    }

    Path path() {
        return path;
    }

    /** Returns the bytes of the file. */
    long bytes() {
        return bytes;
    }

    void grewTo(long size) {
        bytes = size;
    }

    /** Returns the pages that were written to it, also those that the index has elsewhere by now. */
    List<BlobPage> pages() {
        return pages;
    }

    /**
     * Reads the headers of the pages in the file. A sealed segment has them in its footer. In another one it scans the
     * pages, and cuts off a torn one.
     */
    List<Found> load() throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Optional<List<Found>> sealed = SegmentFooter.read(channel);
            List<Found> found = sealed.isPresent() ? sealed.get() : scanned(channel);
            bytes = channel.size();
            return found;
        }
    }

    private static List<Found> scanned(FileChannel channel) throws IOException {
        List<Found> found = new ArrayList<>();
        long size = channel.size();
        long at = 0;
        while (at < size) {
            Optional<PageHeader> header = PageHeader.decode(read(channel, at, PageHeader.MOST));
            if (header.isEmpty() || at + header.get().recordBytes() > size) {
                break;
            }
            found.add(new Found(header.get(), at));
            at += header.get().recordBytes();
        }
        if (at < size) {
            FileChannel unused = channel.truncate(at);
        }
        if (at > 0) {
            SegmentFooter.write(channel, at, found.stream().map(Found::header).toList());
        }
        return found;
    }

    /** Reads header and page from an offset; fewer bytes when the file ends before. Empty when the file is gone. */
    Optional<ByteBuffer> read(long offset, int length) throws IOException {
        try (FileChannel channel = FileChannel.open(path)) {
            return Optional.of(read(channel, offset, length));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    static ByteBuffer read(FileChannel channel, long offset, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            if (channel.read(into, offset + into.position()) < 0) {
                break;
            }
        }
        return into.flip();
    }

    /** Marks a page as removed, also for a restart. */
    void bury(long offset) throws IOException {
        ByteBuffer dead = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        dead.putInt(PageHeader.DEAD).flip();
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
            write(channel, offset, dead);
        }
    }

    static void write(FileChannel channel, long offset, ByteBuffer from) throws IOException {
        long at = offset;
        while (from.hasRemaining()) {
            at += channel.write(from, at);
        }
    }

    void delete() throws IOException {
        Files.deleteIfExists(path);
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
