// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import io.packing.blob.BlobFill;
import io.packing.worker.buffer.FillingSegments;
import java.time.Duration;
import java.util.Optional;

/**
 * The numbers that are fixed before the first byte of a blob is sent, which fills meanwhile (RFC 0018).
 *
 * @param footerOffset the end of its body; a part of the blob's name
 * @param footerBytes room for the stored footer
 * @param trailerBytes behind the footer
 */
record Announcement(long footerOffset, int footerBytes, int trailerBytes) {
    /** The part of the footer offset that may be padding. */
    static final int PADDING_PART = 16;
    /** The part of a body by which it may grow beyond the expectation, since the names of files may grow. */
    private static final int GROWTH_PART = 1_024;

    private static final double MOST_FOOTER_BYTES = 256 << 20;
    private static final int LEAST_GROWTH = 4 << 10;
    /** The room for a footer whose later entries take more bytes than the first ones. */
    private static final double FOOTER_GROWTH = 1.25;

    /**
     * The rule of a mount.
     *
     * @param blobMaxBytes of the files in a blob
     * @param mostFiles of a blob
     * @param within the time in which the blob has to be full
     */
    record Rule(long blobMaxBytes, int mostFiles, Duration within) {
        /** Returns the expected end of the segment, if it is full in time at the rate since it was opened. */
        Optional<Double> end(FillingSegments.Size size) {
            if (size.fileBytes() <= 0 || size.files() <= 0 || size.ended()) {
                return Optional.empty();
            }
            double bytes = (double) size.bytes();
            double end = Math.min(
                    BlobFill.end((double) size.fileBytes(), bytes, blobMaxBytes), bytes * mostFiles / size.files());
            double nanos = (end - bytes) * (double) size.nanos() / bytes;
            return end >= bytes && nanos <= (double) within.toNanos() ? Optional.of(end) : Optional.empty();
        }
    }

    /**
     * Announces a blob.
     *
     * @param end of its body as expected
     * @param bytes of the body so far
     * @param footerBytes of the files so far
     */
    static Announcement of(double end, long bytes, int footerBytes, int trailerBytes) {
        long offset = (long) (end + end / GROWTH_PART) + LEAST_GROWTH;
        double room = FOOTER_GROWTH * footerBytes * ((double) offset / (double) bytes);
        return new Announcement(offset, (int) Math.min(MOST_FOOTER_BYTES, room) + LEAST_GROWTH, trailerBytes);
    }

    /** Returns the length of the blob. */
    long length() {
        return footerOffset + footerBytes + trailerBytes;
    }

    /** Returns whether a body that ends here is worth its padding. */
    boolean isReachedBy(long end) {
        return end <= footerOffset && footerOffset - end <= footerOffset / PADDING_PART;
    }
}
