// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import com.google.common.primitives.Ints;
import com.google.common.primitives.Longs;
import java.io.ByteArrayOutputStream;
import java.util.Base64;

/** The checksum of an object in parts from those of its parts. Confined to one thread. */
public final class PartSums {
    private final ChecksumAlgorithm algorithm;
    private final ByteArrayOutputStream values = new ByteArrayOutputStream();
    private int parts;
    private long whole;

    public PartSums(ChecksumAlgorithm algorithm) {
        this.algorithm = algorithm;
    }

    /** Returns whether a checksum of the whole object comes from those of its parts. */
    public static boolean isLinear(ChecksumAlgorithm algorithm) {
        return algorithm != ChecksumAlgorithm.SHA1 && algorithm != ChecksumAlgorithm.SHA256;
    }

    /**
     * Adds the next part.
     *
     * @param value in base64
     */
    public void add(String value, long bytes) {
        byte[] raw = Base64.getDecoder().decode(value);
        values.writeBytes(raw);
        if (isLinear(algorithm)) {
            long crc = raw.length == Ints.BYTES
                    ? Integer.toUnsignedLong(Ints.fromByteArray(raw))
                    : Longs.fromByteArray(raw);
            whole = parts == 0 ? crc : CrcCombination.of(algorithm).combine(whole, crc, bytes);
        }
        parts++;
    }

    /** Returns the checksum of the parts' checksums, with the number of parts. */
    public String composite() {
        ChecksumAlgorithm.Sum sum = algorithm.begin();
        byte[] all = values.toByteArray();
        sum.update(all, 0, all.length);
        return "%s-%d".formatted(Base64.getEncoder().encodeToString(sum.value()), parts);
    }

    /** Returns the checksum of the bytes of all parts. */
    public String fullObject() {
        byte[] raw = algorithm.bytes() == Ints.BYTES ? Ints.toByteArray((int) whole) : Longs.toByteArray(whole);
        return Base64.getEncoder().encodeToString(raw);
    }
}
