// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.AdoptedObject;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Decoding;
import io.packing.blob.Decodings;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.SoundRead;
import io.packing.encryption.Keystore;
import io.packing.operations.walk.BlobObject;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Reads the bytes of a dumped file from blobs, each extent checked against its checksum. */
final class DumpedBytes {
    private static final byte[] ZEROS = new byte[64 << 10];

    private final ObjectStore store;
    private final Decodings decodings;

    /** @param keystore that is asked when blobs are encrypted */
    DumpedBytes(ObjectStore store, Keystore keystore) {
        this.decodings = new Decodings(keystore);
        this.store = store;
    }

    /** Writes all bytes of a file whose bytes are all in blobs. */
    void write(ListedEntry entry, OutputStream out) throws IOException {
        long length = entry.status().attributes().length();
        Placement placement = entry.placement().orElseThrow();
        if (placement instanceof Placement.Packed packed) {
            write(entry.status().version().id(), packed, 0, length, out);
            return;
        }
        long at = 0;
        for (Placement.Piece piece : ((Placement.Mapped) placement).pieces()) {
            zeros(piece.offset() - at, out);
            LocatedFile content = piece.content();
            write(
                    content.status().version().id(),
                    (Placement.Packed) content.placement(),
                    piece.contentOffset(),
                    piece.length(),
                    out);
            at = piece.end();
        }
        zeros(length - at, out);
    }

    private void write(long fileId, Placement.Packed packed, long from, long length, OutputStream out)
            throws IOException {
        long at = from;
        for (BlobExtent each : packed.extents()) {
            Extent extent = each.extent();
            if (extent.fileEnd() <= at || at >= from + length) {
                continue;
            }
            if (extent.fileOffset() > at) {
                break;
            }
            ByteBuffer bytes = read(fileId, each);
            int skip = (int) (at - extent.fileOffset());
            int count = (int) Math.min(extent.length() - skip, from + length - at);
            byte[] part = new byte[count];
            bytes.position(bytes.position() + skip).get(part);
            out.write(part);
            at += count;
        }
        if (at < from + length) {
            throw new IOException("the dump does not tell where bytes from %d on are".formatted(at));
        }
    }

    private ByteBuffer read(long fileId, BlobExtent each) throws IOException {
        Extent extent = each.extent();
        String key = BlobName.FOLDER + each.blob().key();
        BlobObject source = new BlobObject(store, key, each.blob().footerOffset());
        if (extent.codec() == Codec.ADOPTED) {
            AdoptedObject object = SoundRead.of(
                    source,
                    extent.blobOffset(),
                    extent.storedLength(),
                    stored -> ExtentCodec.adopted(source.name(), extent, stored));
            return store.getVersion(
                    new ObjectVersion(object.bucket(), object.key(), object.version(), object.length()),
                    extent.fileOffset(),
                    extent.length());
        }
        Decoding with = decodings.of(each.blob(), fileId, extent, source);
        return SoundRead.of(
                source,
                extent.blobOffset(),
                extent.storedLength(),
                stored -> ExtentCodec.decode(source.name(), extent, stored, with));
    }

    private static void zeros(long count, OutputStream out) throws IOException {
        for (long left = count; left > 0; left -= ZEROS.length) {
            out.write(ZEROS, 0, (int) Math.min(left, ZEROS.length));
        }
    }
}
