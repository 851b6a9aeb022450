// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import com.google.common.primitives.ImmutableIntArray;
import io.packing.registry.oci.Digest;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Checksums of the pieces of blobs whose bytes had their digest when this process sent them. A digest has one sequence
 * of bytes for ever, so bytes with these checksums need no other proof, wherever they come from. The blob whose last
 * pull is the longest ago is forgotten first. Thread-safe.
 */
final class ProvedBlobs {
    /** Bytes that a checksum is of; the last piece of a blob may have fewer. */
    static final int PIECE = 1 << 20;
    /** The approximate memory of a blob beside its checksums. */
    private static final int BLOB_BYTES = 256;

    /**
     * The known checksums of a blob.
     *
     * @param crc32c of each piece
     */
    record Sums(long length, ImmutableIntArray crc32c) {
        Sums {
            if (crc32c.length() != (length + PIECE - 1) / PIECE) {
                throw new IllegalArgumentException(
                        "%d checksums of a blob of %d bytes".formatted(crc32c.length(), length));
            }
        }

        private long memory() {
            return BLOB_BYTES + (long) Integer.BYTES * crc32c.length();
        }
    }

    private final long mostBytes;
    private final Map<Digest, Sums> sums = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /** @param mostBytes of memory */
    ProvedBlobs(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Returns the known checksums of a blob; empty: its bytes have to be hashed. */
    synchronized Optional<Sums> find(Digest digest) {
        return Optional.ofNullable(sums.get(digest));
    }

    /** Notes that the bytes with these checksums had the digest. */
    synchronized void add(Digest digest, Sums proved) {
        forget(digest);
        sums.put(digest, proved);
        bytes += proved.memory();
        Iterator<Sums> oldest = sums.values().iterator();
        while (bytes > mostBytes) {
            bytes -= oldest.next().memory();
            oldest.remove();
        }
    }

    /** Forgets a blob: the next pull hashes the bytes again. */
    synchronized void forget(Digest digest) {
        Optional.ofNullable(sums.remove(digest)).ifPresent(each -> bytes -= each.memory());
    }

    /** Returns the approximate memory in use. */
    synchronized long bytes() {
        return bytes;
    }
}
