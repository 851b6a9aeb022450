package io.packing.registry.http;

import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;

/** Sends a blob and hashes it; the last bytes are sent only when the digest is right. */
final class VerifiedCopy {
    private static final int BUFFER = 256 << 10;

    private VerifiedCopy() {}

    /** The bytes that were to be sent are not those of the digest. */
    static final class WrongBytesException extends IOException {
        private static final long serialVersionUID = 1L;

        WrongBytesException(String message) {
            super(message);
        }
    }

    /** Sends all; {@link WrongBytesException} before the last bytes when they are not those of the digest. */
    static void copy(InputStream from, OutputStream to, Digest digest, long length) throws IOException {
        MessageDigest hasher = digest.algorithm().hasher();
        byte[] held = new byte[BUFFER];
        byte[] next = new byte[BUFFER];
        int heldCount = from.readNBytes(held, 0, BUFFER);
        hasher.update(held, 0, heldCount);
        long total = heldCount;
        while (heldCount == BUFFER) {
            int n = from.readNBytes(next, 0, BUFFER);
            hasher.update(next, 0, n);
            total += n;
            if (n == 0) {
                break;
            }
            to.write(held, 0, heldCount);
            byte[] swap = held;
            held = next;
            next = swap;
            heldCount = n;
        }
        Digest is = digest.algorithm().of(hasher);
        if (total != length || !is.equals(digest)) {
            throw new WrongBytesException(
                    "blob %s of %d bytes reads as %d bytes of digest %s; nothing of it was given out whole"
                            .formatted(digest, length, total, is));
        }
        to.write(held, 0, heldCount);
    }

    /** Sends a range, of which no digest is known. */
    static void copyRange(InputStream from, OutputStream to, long count) throws IOException {
        byte[] buffer = new byte[BUFFER];
        for (long left = count; left > 0; ) {
            int n = from.read(buffer, 0, (int) Math.min(left, BUFFER));
            if (n < 0) {
                throw new IOException("a blob ended %d bytes early".formatted(left));
            }
            to.write(buffer, 0, n);
            left -= n;
        }
    }
}
