// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.files.FileBytes;
import io.packing.worker.api.PackingInput;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Looks for the level at which zlib makes a gzip member again, to the byte. All levels run beside the inflater, and each is
 * given up at its first wrong byte. Confined to one thread.
 */
final class GzipProof {
    private static final int TRAILER = 8;
    private static final int BUFFER = 64 << 10;

    /**
     * A proved gzip form.
     *
     * @param tarLength bytes in the member
     */
    record Found(BlobForm.Gzip form, long tarLength) {}

    private final PackingInput blob;
    private final long limit;

    /** @param limit of the bytes in the member */
    GzipProof(PackingInput blob, long limit) {
        this.blob = blob;
        this.limit = limit;
    }

    /**
     * Returns the proved form; empty when no level gives these bytes, or the blob is not one whole member.
     *
     * @throws LayerLimitException when the member has more bytes than the limit
     */
    Optional<Found> prove() throws IOException {
        long length = blob.attributes().length();
        byte[] start = new byte[(int) Math.min(length, RecipeHeader.MAX_GZIP_HEADER)];
        readFully(0, start);
        int head = headerLength(start);
        long bodyEnd = length - TRAILER;
        if (head < 0 || bodyEnd <= head) {
            return Optional.empty();
        }
        byte[] trailer = new byte[TRAILER];
        readFully(bodyEnd, trailer);
        List<Candidate> candidates = new ArrayList<>();
        for (int level = Deflater.BEST_SPEED; level <= Deflater.BEST_COMPRESSION; level++) {
            candidates.add(new Candidate(level, head, bodyEnd));
        }
        Inflater inflater = new Inflater(true);
        try {
            long tarLength = run(inflater, candidates, head, bodyEnd);
            if (tarLength < 0) {
                return Optional.empty();
            }
            for (Candidate each : candidates) {
                if (each.isExact()) {
                    return Optional.of(new Found(
                            new BlobForm.Gzip(
                                    each.level,
                                    BlobForm.fingerprint(),
                                    new BlobForm.Bytes(Arrays.copyOf(start, head)),
                                    new BlobForm.Bytes(trailer)),
                            tarLength));
                }
            }
            return Optional.empty();
        } finally {
            inflater.end();
            candidates.forEach(Candidate::end);
        }
    }

    /** Inflates all, and lets the candidates deflate it; -1: none of them is left, or the stream is broken. */
    private long run(Inflater inflater, List<Candidate> candidates, int head, long bodyEnd) throws IOException {
        byte[] in = new byte[BUFFER];
        byte[] out = new byte[BUFFER];
        long position = head;
        long total = 0;
        try {
            while (!inflater.finished()) {
                if (inflater.needsInput()) {
                    int n = position < bodyEnd
                            ? blob.read(position, ByteBuffer.wrap(in, 0, (int) Math.min(BUFFER, bodyEnd - position)))
                            : -1;
                    if (n <= 0) {
                        return -1;
                    }
                    inflater.setInput(in, 0, n);
                    position += n;
                }
                int n = inflater.inflate(out);
                total += n;
                if (total > limit) {
                    throw LayerLimitException.bytes(limit);
                }
                if (n == 0 && inflater.needsDictionary()) {
                    return -1;
                }
                for (Candidate each : candidates) {
                    each.take(out, n);
                }
                candidates.removeIf(Candidate::isWrong);
                if (candidates.isEmpty()) {
                    return -1;
                }
            }
        } catch (DataFormatException e) {
            return -1;
        }
        if (inflater.getBytesRead() != bodyEnd - head) {
            return -1;
        }
        for (Candidate each : candidates) {
            each.finish();
        }
        return total;
    }

    private void readFully(long position, byte[] into) throws IOException {
        try (InputStream bytes = FileBytes.leavingOpen(blob, position)) {
            if (bytes.readNBytes(into, 0, into.length) < into.length) {
                throw new IOException("a blob ended early");
            }
        }
    }

    /** Returns the length of a member's header; -1: there is none. */
    static int headerLength(byte[] bytes) {
        if (bytes.length < 10 || (bytes[0] & 0xff) != 0x1f || (bytes[1] & 0xff) != 0x8b || bytes[2] != 8) {
            return -1;
        }
        int flags = bytes[3] & 0xff;
        int at = 10;
        if ((flags & 4) != 0) {
            if (at + 2 > bytes.length) {
                return -1;
            }
            at += 2 + (bytes[at] & 0xff) + ((bytes[at + 1] & 0xff) << 8);
        }
        for (int flag = 8; flag <= 16; flag <<= 1) {
            if ((flags & flag) != 0) {
                while (at < bytes.length && bytes[at] != 0) {
                    at++;
                }
                at++;
            }
        }
        at += (flags & 2) != 0 ? 2 : 0;
        return at < bytes.length && (flags & 0xe0) == 0 ? at : -1;
    }

    /** A level that may be the one. */
    private final class Candidate {
        private final int level;
        private final Deflater deflater;
        private final InputStream wanted;
        private final byte[] made = new byte[BUFFER];
        private long left;
        private boolean wrong;

        Candidate(int level, long from, long to) {
            this.level = level;
            this.deflater = new Deflater(level, true);
            this.wanted = new BufferedInputStream(FileBytes.leavingOpen(blob, from), BUFFER);
            this.left = to - from;
        }

        void take(byte[] bytes, int count) throws IOException {
            deflater.setInput(bytes, 0, count);
            drain();
        }

        void finish() throws IOException {
            deflater.finish();
            drain();
        }

        private void drain() throws IOException {
            for (int n = deflater.deflate(made); n > 0 && !wrong; n = deflater.deflate(made)) {
                left -= n;
                byte[] want = left < 0 ? new byte[0] : wanted.readNBytes(n);
                wrong = !Arrays.equals(made, 0, n, want, 0, want.length);
            }
            if (wrong) {
                end();
            }
        }

        boolean isWrong() {
            return wrong;
        }

        boolean isExact() {
            return !wrong && left == 0;
        }

        void end() {
            deflater.end();
        }
    }
}
