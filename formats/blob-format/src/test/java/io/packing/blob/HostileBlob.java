// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;

/** A builder of blobs with right checksums and wrong content. */
final class HostileBlob {
    private final FooterOutput footer = new FooterOutput(64);
    private int bodyBytes = 100;
    private int version = 1;
    private int files = 1;
    private int inflatedLength = -1;
    private int storedExcess;
    private boolean truncateStream;

    static HostileBlob withNames(int count) {
        HostileBlob blob = new HostileBlob();
        blob.footer.varint(count);
        return blob;
    }

    /** Returns a footer with the one name "", and no file yet. */
    static HostileBlob withOneName() {
        return withNames(1).varint(0);
    }

    /** Returns a footer of version 2 that states so many bytes of a dictionary, with the one name "". */
    static HostileBlob withDictionary(long bytes) {
        HostileBlob blob = new HostileBlob().varint(bytes).varint(1).varint(0);
        blob.version = 2;
        return blob;
    }

    HostileBlob varint(long value) {
        footer.varint(value);
        return this;
    }

    HostileBlob signed(long value) {
        footer.signed(value);
        return this;
    }

    HostileBlob octets(int... values) {
        for (int value : values) {
            footer.octet(value);
        }
        return this;
    }

    /** Adds enough bytes for one file to be possible. */
    HostileBlob padding() {
        return octets(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }

    HostileBlob path(int prefix, String suffix) {
        return path(prefix, suffix.getBytes(StandardCharsets.UTF_8));
    }

    HostileBlob path(int prefix, byte[] suffix) {
        footer.varint(prefix);
        footer.varint(suffix.length);
        footer.raw(suffix, 0, suffix.length);
        return this;
    }

    /** Adds the fields behind a path: version deltas, length, mtime, owner, group, mode and the number of extents. */
    HostileBlob file(long id, long lag, long length, int extents) {
        return signed(id)
                .signed(lag)
                .varint(length)
                .signed(0)
                .varint(0)
                .varint(0)
                .varint(0644)
                .varint(extents);
    }

    HostileBlob extent(long skip, long length, long jump) {
        varint(skip).varint(length).signed(jump).octets(0);
        footer.fixed32(0);
        return this;
    }

    /** Adds an extent of ten bytes stored in one. */
    HostileBlob extentOf(int codec) {
        varint(0).varint(10).signed(0).octets(codec).varint(1);
        footer.fixed32(0);
        return this;
    }

    HostileBlob files(int count) {
        files = count;
        return this;
    }

    HostileBlob body(int bytes) {
        bodyBytes = bytes;
        return this;
    }

    HostileBlob claimInflated(int bytes) {
        inflatedLength = bytes;
        return this;
    }

    HostileBlob junkAfterStream(int bytes) {
        storedExcess = bytes;
        return this;
    }

    HostileBlob cutStream() {
        truncateStream = true;
        return this;
    }

    byte[] bytes() {
        byte[] inflated = footer.toByteArray();
        ByteBuffer deflated = ByteBuffer.allocate(inflated.length + 1024);
        if (!Deflate.deflate(ByteBuffer.wrap(inflated), deflated, Deflater.BEST_COMPRESSION)) {
            throw new AssertionError("does not fit");
        }
        int storedLength = truncateStream ? deflated.position() - 1 : deflated.position() + storedExcess;
        ByteBuffer stored = ByteBuffer.wrap(deflated.array(), 0, storedLength);
        BlobTrailer trailer = new BlobTrailer(
                version,
                BlobHeader.SIZE + bodyBytes,
                storedLength,
                inflatedLength == -1 ? inflated.length : inflatedLength,
                files,
                ExtentCodec.crc32c(stored),
                0);
        return join(bodyBytes, stored, trailer);
    }

    /** Returns a blob with any trailer. */
    static byte[] join(int bodyBytes, ByteBuffer footer, BlobTrailer trailer) {
        ByteBuffer blob = ByteBuffer.allocate(BlobHeader.SIZE + bodyBytes + footer.remaining() + BlobTrailer.SIZE);
        blob.put(BlobHeader.bytes(trailer.version())).position(BlobHeader.SIZE + bodyBytes);
        blob.put(footer).put(trailer.bytes());
        return blob.array();
    }
}
