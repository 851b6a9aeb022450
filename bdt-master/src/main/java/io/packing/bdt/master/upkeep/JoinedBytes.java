// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.cloud.ObjectSource;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.BlobName;
import io.packing.blob.BlobReader;
import io.packing.blob.BlobWindow;
import io.packing.blob.Codec;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Decoding;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.SoundRead;
import io.packing.buffers.Slices;
import io.packing.store.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the bytes of references from blobs into a file, one behind the other. Confined to one thread. */
final class JoinedBytes {
    private static final Logger LOG = LoggerFactory.getLogger(JoinedBytes.class);

    private final Rows rows;
    private final ObjectStore objects;
    private final MountKeys keys;
    private final int windowBytes;
    private final FileChannel to;
    private boolean compressed;

    /**
     * Bytes of an extent.
     *
     * @param from offset in the extent
     * @param to offset in the file
     */
    private record Part(long content, Extent extent, int from, int length, long to) {}

    /** @param windowBytes read with one request, bytes between extents included; at least an extent */
    JoinedBytes(Rows rows, ObjectStore objects, MountKeys keys, int windowBytes, FileChannel to) {
        this.rows = rows;
        this.objects = objects;
        this.keys = keys;
        this.windowBytes = Math.max(windowBytes, Extent.MAX_STORED);
        this.to = to;
    }

    /** Returns whether some of the bytes are compressed where they are. */
    boolean areCompressed() {
        return compressed;
    }

    /** Reads all bytes; returns false if some of them are in no blob, or damaged. */
    boolean read(List<Reference> references) throws IOException {
        Map<Long, List<Part>> byBlob = new TreeMap<>();
        Map<Long, List<Inode.StoredExtent>> contents = new HashMap<>();
        long at = 0;
        for (Reference each : references) {
            List<Inode.StoredExtent> extents = contents.get(each.content());
            if (extents == null) {
                extents = extents(each.content());
                contents.put(each.content(), extents);
            }
            if (!add(each, extents, at, byBlob)) {
                return false;
            }
            at += each.length();
        }
        for (Map.Entry<Long, List<Part>> each : byBlob.entrySet()) {
            Optional<BlobRow> blob =
                    rows.get(Keys.numbered(Keys.BLOB, each.getKey())).map(BlobRow::decode);
            if (blob.isEmpty() || !read(blob.get(), each.getValue())) {
                return false;
            }
        }
        return true;
    }

    private List<Inode.StoredExtent> extents(long content) throws IOException {
        return Content.find(rows, content).map(Content::place).orElse(null) instanceof Inode.Packed packed
                ? packed.extents()
                : List.of();
    }

    private static boolean add(
            Reference reference, List<Inode.StoredExtent> extents, long at, Map<Long, List<Part>> byBlob) {
        long end = reference.contentOffset() + reference.length();
        long covered = 0;
        for (Inode.StoredExtent stored : extents) {
            Extent extent = stored.extent();
            long from = Math.max(extent.fileOffset(), reference.contentOffset());
            long to = Math.min(extent.fileEnd(), end);
            if (from < to && extent.codec() == Codec.ADOPTED) {
                return false;
            }
            if (from < to) {
                int length = (int) (to - from);
                byBlob.computeIfAbsent(stored.blob(), first -> new ArrayList<>())
                        .add(new Part(
                                reference.content(),
                                extent,
                                (int) (from - extent.fileOffset()),
                                length,
                                at + from - reference.contentOffset()));
                covered += length;
            }
        }
        return covered == reference.length();
    }

    private boolean read(BlobRow blob, List<Part> parts) throws IOException {
        parts.sort(Comparator.comparingLong(each -> each.extent().blobOffset()));
        ObjectSource source =
                new ObjectSource(objects, BlobName.FOLDER + blob.name().key(), blob.total());
        try {
            BlobReader reader = BlobReader.open(source, blob.name().footerOffset(), keys.keystore());
            if (reader.key().isPresent() && keys.name().isEmpty()) {
                // Nothing that is encrypted is written in plain.
                return false;
            }
            Decoding with = new Decoding(0, reader.key(), reader.dictionary());
            for (int from = 0; from < parts.size(); ) {
                long start = parts.get(from).extent().blobOffset();
                int end = from;
                while (end < parts.size() && parts.get(end).extent().blobEnd() - start <= windowBytes) {
                    end++;
                }
                int length = (int) (parts.get(end - 1).extent().blobEnd() - start);
                copy(BlobWindow.read(source, with, start, length), parts.subList(from, end));
                from = end;
            }
            return true;
        } catch (CorruptBlobException e) {
            LOG.error("{} is damaged: fragments that it has stay there", blob.name(), e);
            return false;
        }
    }

    private void copy(BlobWindow window, List<Part> parts) throws IOException {
        Optional<Extent> last = Optional.empty();
        ByteBuffer decoded = ByteBuffer.allocate(0);
        for (Part each : parts) {
            Extent extent = each.extent();
            if (!last.equals(Optional.of(extent))) {
                Decoding with = window.decoding().of(each.content());
                decoded = SoundRead.of(
                        window,
                        extent.blobOffset(),
                        extent.storedLength(),
                        bytes -> ExtentCodec.decode(window.name(), extent, bytes, with));
                last = Optional.of(extent);
            }
            compressed |= extent.codec().plain() != Codec.NONE;
            ByteBuffer part = Slices.of(decoded, each.from(), each.length());
            for (long at = each.to(); part.hasRemaining(); ) {
                at += to.write(part, at);
            }
        }
    }
}
