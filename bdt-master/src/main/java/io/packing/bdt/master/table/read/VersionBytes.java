// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import com.google.common.collect.TreeRangeSet;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.ReadableBytes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.MapChain;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.BlobExtent;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Bytes of a version that a file has: a reader of the file may read these of the version, and learns of no other. */
record VersionBytes(ImmutableRangeSet<Long> ranges) {
    static final VersionBytes NONE = new VersionBytes(ImmutableRangeSet.of());
    static final VersionBytes ALL = new VersionBytes(ImmutableRangeSet.of(Range.closedOpen(0L, Long.MAX_VALUE)));

    /**
     * Those that a file has.
     *
     * @param file has the version by itself, or a map
     * @param content the version
     */
    static VersionBytes of(Rows rows, Inode file, FileVersion content) throws IOException {
        return file.place() instanceof Inode.Fragmented ? ofFragmented(rows, file, content) : of(file, content);
    }

    /** As the other, of a file with its map in its entry. */
    static VersionBytes of(Inode file, FileVersion content) {
        if (!(file.place() instanceof Inode.Mapped mapped)) {
            return file.version().equals(content) ? ALL : NONE;
        }
        // A map may reach behind the file's end, and no reader of the file sees that.
        TreeRangeSet<Long> ranges = TreeRangeSet.create();
        ranges.addAll(mapped.map().slice(0, file.attributes().length()).ranges().get(content.id()));
        return new VersionBytes(ImmutableRangeSet.copyOf(ranges));
    }

    private static VersionBytes ofFragmented(Rows rows, Inode file, FileVersion content) throws IOException {
        TreeRangeSet<Long> ranges = TreeRangeSet.create();
        long length = file.attributes().length();
        for (ReferenceMap.Reference each : MapChain.of(rows, file).of(rows, content.id())) {
            long count = Math.min(each.end(), length) - each.offset();
            if (count > 0) {
                ranges.add(Range.closedOpen(each.contentOffset(), each.contentOffset() + count));
            }
        }
        return new VersionBytes(ImmutableRangeSet.copyOf(ranges));
    }

    boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** Returns whether no byte of a version of some length is missing. */
    boolean areAll(long length) {
        return length == 0 || ranges.encloses(Range.closedOpen(0L, length));
    }

    /** Returns the ranges from an offset on, as many as one answer has. */
    ReadableBytes told(long offset) {
        List<ReadableBytes.Range> told = new ArrayList<>();
        for (Range<Long> each : ranges.asRanges()) {
            if (each.upperEndpoint() <= offset) {
                continue;
            }
            if (told.size() == ReadableBytes.MOST_RANGES) {
                return new ReadableBytes(offset, Math.max(offset, each.lowerEndpoint()), told);
            }
            told.add(new ReadableBytes.Range(each.lowerEndpoint(), each.upperEndpoint()));
        }
        return new ReadableBytes(offset, Long.MAX_VALUE, told);
    }

    /** A version without the extents that have none of the bytes. */
    LocatedFile of(LocatedFile version) {
        if (!(version.placement() instanceof Placement.Packed packed)) {
            return version;
        }
        List<BlobExtent> needed = packed.extents().stream()
                .filter(each -> ranges.intersects(Range.closedOpen(
                        each.extent().fileOffset(), each.extent().fileEnd())))
                .toList();
        return new LocatedFile(version.status(), new Placement.Packed(needed));
    }

    /** A file whose contents have no extents but those that it has bytes of. */
    static LocatedFile needed(LocatedFile file) {
        if (!(file.placement() instanceof Placement.Mapped mapped)) {
            return file;
        }
        long length = file.status().attributes().length();
        Map<FileVersion, TreeRangeSet<Long>> had = new HashMap<>();
        for (Placement.Piece each : mapped.pieces()) {
            long count = Math.min(each.end(), length) - each.offset();
            TreeRangeSet<Long> ranges = had.computeIfAbsent(version(each), unused -> TreeRangeSet.create());
            if (count > 0) {
                ranges.add(Range.closedOpen(each.contentOffset(), each.contentOffset() + count));
            }
        }
        Map<FileVersion, LocatedFile> contents = new HashMap<>();
        List<Placement.Piece> pieces = new ArrayList<>();
        for (Placement.Piece each : mapped.pieces()) {
            LocatedFile content = contents.computeIfAbsent(
                    version(each),
                    version -> new VersionBytes(
                                    ImmutableRangeSet.copyOf(had.getOrDefault(version, TreeRangeSet.create())))
                            .of(each.content()));
            pieces.add(new Placement.Piece(each.offset(), each.length(), content, each.contentOffset()));
        }
        return new LocatedFile(file.status(), new Placement.Mapped(pieces));
    }

    private static FileVersion version(Placement.Piece piece) {
        return piece.content().status().version();
    }
}
