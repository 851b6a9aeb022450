// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dedup;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;
import io.packing.bdt.BdtLookups;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.PackingInput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * Checksums of files: from the table where it has them, else of the bytes. Every method throws
 * {@link FileNotFoundException} when the version is not at its path any more. Confined to one thread.
 */
final class Fingerprints {
    private static final int CHUNK = 1 << 20;

    private final BdtLookups bdt;
    private final VersionOpener bytes;
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK);
    private long readBytes;

    Fingerprints(BdtLookups bdt, VersionOpener bytes) {
        this.bdt = bdt;
        this.bytes = bytes;
    }

    /** A worker came back without these bytes. */
    static final class LostBytesException extends IOException {
        private static final long serialVersionUID = 1L;

        LostBytesException(String worker) {
            super("worker %s came back without its bytes".formatted(worker));
        }
    }

    /** Bytes that had to be read so far. */
    long readBytes() {
        return readBytes;
    }

    /** Returns the place of a version that was seen at a path. */
    LocatedFile locate(FilePath path, FileVersion version) throws IOException {
        return bdt.locate(path)
                .filter(now -> now.status().version().equals(version))
                .orElseThrow(() ->
                        new FileNotFoundException("%s: version %s is not there any more".formatted(path, version)));
    }

    /** The CRC32C of a file's bytes. When they must be read for it, their SHA-256 is noted, too. */
    int crc32c(DuplicateCandidate file) throws IOException {
        LocatedFile now = locate(file.path(), file.version());
        OptionalInt known = known(now.placement(), file.length());
        return known.isPresent() ? known.getAsInt() : read(file, now);
    }

    /** The SHA-256 of a file's bytes, which are read only once. */
    Sha256 sha256(DuplicateCandidate file) throws IOException {
        if (file.sha256() == null) {
            int unused = read(file, locate(file.path(), file.version()));
        }
        Sha256 read = file.sha256();
        if (read == null) {
            throw new IllegalStateException(file.path() + " was read and has no SHA-256");
        }
        return read;
    }

    /** Returns the table's checksum of a file: an extent's checksum is that of its stored bytes. */
    private static OptionalInt known(Placement placement, long length) {
        if (placement instanceof Placement.Mapped mapped && mapped.pieces().size() == 1) {
            Placement.Piece piece = mapped.pieces().get(0);
            long contentLength = piece.content().status().attributes().length();
            return piece.length() == length && contentLength == length
                    ? known(piece.content().placement(), length)
                    : OptionalInt.empty();
        }
        if (placement instanceof Placement.Packed packed && packed.extents().size() == 1) {
            Extent extent = packed.extents().get(0).extent();
            return extent.codec() == Codec.NONE && extent.length() == length
                    ? OptionalInt.of(extent.crc32c())
                    : OptionalInt.empty();
        }
        return OptionalInt.empty();
    }

    private int read(DuplicateCandidate file, LocatedFile now) throws IOException {
        checkNotLost(now);
        CRC32C crc = new CRC32C();
        Hasher sha256 = Hashing.sha256().newHasher();
        try (PackingInput input = bytes.open(now)) {
            for (long at = 0; at < file.length(); ) {
                chunk.clear().limit((int) Math.min(CHUNK, file.length() - at));
                int count = input.read(at, chunk);
                if (count < 0) {
                    throw new IOException(
                            "%s ends at %d of %d bytes".formatted(now.status().path(), at, file.length()));
                }
                chunk.flip();
                crc.update(chunk.duplicate());
                sha256.putBytes(chunk);
                at += count;
                readBytes += count;
            }
        }
        file.setSha256(Sha256.of(sha256.hash()));
        return (int) crc.getValue();
    }

    private static void checkNotLost(LocatedFile file) throws IOException {
        if (file.placement() instanceof Placement.Lost lost) {
            throw new LostBytesException(lost.worker());
        }
        if (file.placement() instanceof Placement.Mapped mapped) {
            for (Placement.Piece piece : mapped.pieces()) {
                checkNotLost(piece.content());
            }
        }
    }
}
