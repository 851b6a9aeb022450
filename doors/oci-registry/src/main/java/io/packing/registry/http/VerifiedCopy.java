// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import com.google.common.primitives.ImmutableIntArray;
import io.packing.registry.oci.Digest;
import io.packing.registry.web.BodyStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.zip.CRC32C;

/**
 * Sends blobs whose bytes are proved. The first pull of a blob is hashed, and its last piece is sent only when the digest is right. Later
 * ones have the checksum of each piece compared with that of the bytes that had the digest, before anything of the piece is sent.
 * Thread-safe.
 */
final class VerifiedCopy {
    /** The bytes that are checked, copied and sent together, while they are in the processor's cache. */
    private static final int BUFFER = 256 << 10;
    /** Buffers that are kept for the next blobs. */
    private static final int MOST_SPARE = 16;

    private final ProvedBlobs proved;
    private final Queue<ByteBuffer> spare = new ArrayBlockingQueue<>(MOST_SPARE);

    /** @param proved the known checksums of blobs; each pull adds more */
    VerifiedCopy(ProvedBlobs proved) {
        this.proved = proved;
    }

    /** The bytes that were to be sent are not those of the digest. */
    static final class WrongBytesException extends IOException {
        private static final long serialVersionUID = 1L;

        WrongBytesException(String message) {
            super(message);
        }
    }

    /** Sends all; {@link WrongBytesException} before the last bytes when they are not those of the digest. */
    void copy(InputStream from, BodyStream to, Digest digest, long length) throws IOException {
        ByteBuffer piece = take(length);
        try {
            Optional<ProvedBlobs.Sums> known = proved.find(digest).filter(sums -> sums.length() == length);
            Proving proving = new Proving(to, digest, length, piece, known);
            long unused = from.transferTo(proving);
            ProvedBlobs.Sums sums = proving.end();
            if (known.isEmpty()) {
                proved.add(digest, sums);
            }
        } catch (WrongBytesException e) {
            proved.forget(digest);
            give(piece);
            throw e;
        }
        // After any other failure the server may still be about to send it.
        give(piece);
    }

    /** Takes a buffer outside of the heap: the kernel reads it in place, also when it takes the bytes in parts. */
    private ByteBuffer take(long length) {
        if (length < ProvedBlobs.PIECE) {
            return ByteBuffer.allocate((int) length);
        }
        return Optional.ofNullable(spare.poll())
                .orElseGet(() -> ByteBuffer.allocateDirect(ProvedBlobs.PIECE))
                .clear();
    }

    private void give(ByteBuffer piece) {
        if (piece.isDirect()) {
            boolean unused = spare.offer(piece);
        }
    }

    /** Passes pieces on that are proved, and the last of them only when all are. Confined to one thread. */
    private static final class Proving extends OutputStream {
        private final BodyStream to;
        private final Digest digest;
        private final long length;
        private final ByteBuffer piece;
        private final Optional<ProvedBlobs.Sums> known;
        /** The hash of all bytes, unless their checksums are known. */
        private final Optional<MessageDigest> hasher;

        private final CRC32C crc = new CRC32C();
        private final ImmutableIntArray.Builder sums = ImmutableIntArray.builder();
        private long total;
        private int pieces;

        Proving(BodyStream to, Digest digest, long length, ByteBuffer piece, Optional<ProvedBlobs.Sums> known) {
            this.to = to;
            this.digest = digest;
            this.length = length;
            this.piece = piece;
            this.known = known;
            this.hasher = known.isPresent()
                    ? Optional.empty()
                    : Optional.of(digest.algorithm().hasher());
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int count) throws IOException {
            if (count > length - total) {
                throw new WrongBytesException("blob %s of %d bytes reads as more; nothing of it was given out whole"
                        .formatted(digest, length));
            }
            for (int done = 0; done < count; ) {
                int n = Math.min(BUFFER, Math.min(piece.remaining(), count - done));
                crc.update(bytes, offset + done, n);
                if (hasher.isPresent()) {
                    hasher.get().update(bytes, offset + done, n);
                }
                piece.put(bytes, offset + done, n);
                total += n;
                done += n;
                if (!piece.hasRemaining() || total == length) {
                    pass();
                }
            }
        }

        private void pass() throws IOException {
            int sum = (int) crc.getValue();
            crc.reset();
            if (known.isPresent() && known.get().crc32c().get(pieces) != sum) {
                throw new WrongBytesException(
                        "blob %s of %d bytes reads with other bytes in %d+%d than had the digest; nothing of it was given out whole"
                                .formatted(digest, length, total - piece.position(), piece.position()));
            }
            sums.add(sum);
            pieces++;
            if (total == length) {
                prove();
            }
            to.write(piece.flip());
            piece.clear();
        }

        private void prove() throws WrongBytesException {
            if (hasher.isEmpty()) {
                return;
            }
            Digest is = digest.algorithm().of(hasher.get());
            if (!is.equals(digest)) {
                throw new WrongBytesException(
                        "blob %s of %d bytes reads as digest %s; nothing of it was given out whole"
                                .formatted(digest, length, is));
            }
        }

        /** Ends the bytes; returns the checksums of all of them. */
        ProvedBlobs.Sums end() throws WrongBytesException {
            if (length == 0) {
                prove();
            }
            if (total < length) {
                throw new WrongBytesException("blob %s of %d bytes ends after %d; nothing of it was given out whole"
                        .formatted(digest, length, total));
            }
            return new ProvedBlobs.Sums(length, sums.build());
        }
    }

    /** Sends a range, whose digest is unknown. */
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
