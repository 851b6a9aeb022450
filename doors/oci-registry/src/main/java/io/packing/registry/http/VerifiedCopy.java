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
        Proving proving = new Proving(to, digest, length);
        long unused = from.transferTo(proving);
        proving.end();
    }

    /** Passes bytes on, and the last of them only when all are those of the digest. Confined to one thread. */
    private static final class Proving extends OutputStream {
        private final OutputStream to;
        private final Digest digest;
        private final long length;
        private final MessageDigest hasher;
        private long total;

        Proving(OutputStream to, Digest digest, long length) {
            this.to = to;
            this.digest = digest;
            this.length = length;
            this.hasher = digest.algorithm().hasher();
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            // Hashed and sent while they are in the processor's cache.
            for (int done = 0; done < count; done += BUFFER) {
                pass(bytes, offset + done, Math.min(BUFFER, count - done));
            }
        }

        private void pass(byte[] bytes, int offset, int count) throws IOException {
            if (count > length - total) {
                throw new WrongBytesException("blob %s of %d bytes reads as more; nothing of it was given out whole"
                        .formatted(digest, length));
            }
            hasher.update(bytes, offset, count);
            total += count;
            if (total == length) {
                prove();
            }
            to.write(bytes, offset, count);
        }

        private void prove() throws WrongBytesException {
            Digest is = digest.algorithm().of(hasher);
            if (!is.equals(digest)) {
                throw new WrongBytesException(
                        "blob %s of %d bytes reads as digest %s; nothing of it was given out whole"
                                .formatted(digest, length, is));
            }
        }

        /** There are no more bytes. */
        void end() throws WrongBytesException {
            if (length == 0) {
                prove();
            }
            if (total < length) {
                throw new WrongBytesException("blob %s of %d bytes ends after %d; nothing of it was given out whole"
                        .formatted(digest, length, total));
            }
        }
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
