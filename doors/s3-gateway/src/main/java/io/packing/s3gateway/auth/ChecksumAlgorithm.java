// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.auth;

import com.google.common.primitives.Ints;
import com.google.common.primitives.Longs;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** The checksums of bodies that clients may name. */
public enum ChecksumAlgorithm {
    CRC32(4),
    CRC32C(4),
    CRC64NVME(8),
    SHA1(20),
    SHA256(32);

    private final int bytes;

    ChecksumAlgorithm(int bytes) {
        this.bytes = bytes;
    }

    /** A checksum that grows with its bytes. Confined to one thread. */
    public interface Sum {
        void update(byte[] from, int offset, int count);

        byte[] value();
    }

    /** Returns the name of the header with a value. */
    public String header() {
        return "x-amz-checksum-" + name().toLowerCase(Locale.ROOT);
    }

    /** Returns the length of a value in bytes. */
    public int bytes() {
        return bytes;
    }

    /** Returns the element of documents with a value. */
    public String element() {
        return "Checksum" + name();
    }

    public static Optional<ChecksumAlgorithm> named(String name) {
        return Arrays.stream(values())
                .filter(each -> each.name().equalsIgnoreCase(name))
                .findFirst();
    }

    /** Returns the algorithm whose value a header has. */
    public static Optional<ChecksumAlgorithm> ofHeader(String name) {
        return Arrays.stream(values())
                .filter(each -> each.header().equalsIgnoreCase(name))
                .findFirst();
    }

    public Sum begin() {
        return switch (this) {
            case CRC32 -> of(new CRC32());
            case CRC32C -> of(new CRC32C());
            case CRC64NVME -> of(new Crc64Nvme());
            case SHA1 -> of(digest("SHA-1"));
            case SHA256 -> of(digest("SHA-256"));
        };
    }

    private static MessageDigest digest(String name) {
        try {
            return MessageDigest.getInstance(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has " + name, e);
        }
    }

    private Sum of(Checksum sum) {
        return new Sum() {
            @Override
            public void update(byte[] from, int offset, int count) {
                sum.update(from, offset, count);
            }

            @Override
            public byte[] value() {
                return bytes == 4 ? Ints.toByteArray((int) sum.getValue()) : Longs.toByteArray(sum.getValue());
            }
        };
    }

    private static Sum of(MessageDigest sum) {
        return new Sum() {
            @Override
            public void update(byte[] from, int offset, int count) {
                sum.update(from, offset, count);
            }

            @Override
            public byte[] value() {
                return sum.digest();
            }
        };
    }
}
