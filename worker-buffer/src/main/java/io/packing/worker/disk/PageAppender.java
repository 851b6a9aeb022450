// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.disk;

import io.packing.durable.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The writer of a segment, which appends pages in order. Confined to one thread. */
final class PageAppender implements AutoCloseable {
    private final PageSegment segment;
    private final FileChannel channel;
    private final List<PageHeader> headers = new ArrayList<>();
    private long footerBytes = SegmentFooter.FIXED;

    private PageAppender(PageSegment segment, FileChannel channel) {
        this.segment = segment;
        this.channel = channel;
    }

    static PageAppender create(PageSegment segment) throws IOException {
        return new PageAppender(
                segment, OwnerOnly.open(segment.path(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    PageSegment segment() {
        return segment;
    }

    /** Returns whether the segment, with its footer, stays within a size when this page is added. */
    boolean fits(PageHeader header, long mostBytes) {
        int headerBytes = header.recordBytes() - header.length();
        return segment.bytes() + header.recordBytes() + footerBytes + headerBytes <= mostBytes;
    }

    /** Writes a page at the end; returns its offset. A scan of the segment ends before a torn page. */
    long append(PageHeader header, ByteBuffer page) throws IOException {
        long offset = segment.bytes();
        ByteBuffer encoded = header.encode();
        footerBytes += encoded.remaining();
        ByteBuffer[] record = {encoded, page.duplicate()};
        while (record[1].hasRemaining()) {
            long unused = channel.write(record);
        }
        headers.add(header);
        segment.pages().add(header.page());
        segment.grewTo(offset + header.recordBytes());
        return offset;
    }

    /** Ends the segment with its footer. */
    void seal() throws IOException {
        segment.grewTo(SegmentFooter.write(channel, segment.bytes(), headers));
        channel.close();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
