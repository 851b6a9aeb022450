// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import io.packing.store.SentStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a put, with their MD5. If all bytes should have a CRC32C and have another one, the last read fails: then the store makes no
 * blob.
 */
final class CheckedBytes extends InputStream {
    private final SentStream bytes;
    private final MessageDigest md5 = digest();
    private final OptionalInt wanted;
    private @Nullable IOException mismatch;

    /** @param wanted CRC32C of all bytes; empty: any */
    CheckedBytes(InputStream bytes, long length, OptionalInt wanted) {
        this.bytes = new SentStream(bytes, length);
        this.wanted = wanted;
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java has no MD5", e);
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int count = bytes.read(into, offset, length);
        if (count > 0) {
            md5.update(into, offset, count);
            check();
        }
        return count;
    }

    private void check() throws IOException {
        if (bytes.left() == 0 && wanted.isPresent() && wanted.getAsInt() != bytes.crc32c()) {
            mismatch = new IOException("the file has crc %08x, want %08x: it was changed, or the disk is failing"
                    .formatted(bytes.crc32c(), wanted.getAsInt()));
            throw mismatch;
        }
    }

    long left() {
        return bytes.left();
    }

    /** Returns the MD5 of the bytes that were read, in the form of headers. */
    String md5() {
        return Base64.getEncoder().encodeToString(md5.digest());
    }

    /** Returns the failure of a read. */
    Optional<IOException> failure() {
        return Optional.ofNullable(mismatch).or(bytes::failure);
    }

    @Override
    public void close() throws IOException {
        bytes.close();
    }
}
