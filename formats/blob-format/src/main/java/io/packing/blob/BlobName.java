// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The name of a blob: {@code <worker>-<footer offset>-<timestamp>} (§4.1). The object key puts two hexadecimal digits
 * of the name's hash in front, so that the keys spread over the store's partitions.
 *
 * @param worker identifier of the worker that packed it: letters, digits, {@code .}, {@code _} and {@code -}
 * @param footerOffset the start of the footer in the blob, in bytes
 * @param timestampMicros creation time, microseconds since the epoch, strictly increasing within a worker
 */
public record BlobName(String worker, long footerOffset, long timestampMicros) {
    /** The folder of a mount's blobs, below the prefix of its store. */
    public static final String FOLDER = "blobs/";

    private static final int MAX_WORKER = 128;
    private static final int MAX_DIGITS = 19;
    private static final int PREFIX = "3f/".length();

    public BlobName {
        if (!isWorker(worker) || footerOffset < 0 || timestampMicros < 0) {
            throw new IllegalArgumentException(
                    "bad blob name %s-%d-%d".formatted(worker, footerOffset, timestampMicros));
        }
    }

    /** Reads a name or a key. */
    public static BlobName parse(String text) {
        // Parsed by hand, since a master reads a name for every committed file.
        int from = text.length() > PREFIX && text.charAt(PREFIX - 1) == '/' ? PREFIX : 0;
        int last = text.lastIndexOf('-');
        int middle = last < 0 ? -1 : text.lastIndexOf('-', last - 1);
        if (middle < from || !isNumber(text, middle + 1, last) || !isNumber(text, last + 1, text.length())) {
            throw new IllegalArgumentException("'%s' is not a blob name".formatted(text));
        }
        BlobName name = new BlobName(
                text.substring(from, middle),
                Long.parseLong(text, middle + 1, last, 10),
                Long.parseLong(text, last + 1, text.length(), 10));
        if (!text.endsWith(name.toString())) {
            throw new IllegalArgumentException("'%s' has leading zeros, want '%s'".formatted(text, name));
        }
        if (from > 0 && !text.equals(name.key())) {
            throw new IllegalArgumentException("'%s' has a wrong hash prefix, want '%s'".formatted(text, name.key()));
        }
        return name;
    }

    private static boolean isWorker(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && !isDigit(c) && c != '.' && c != '_' && c != '-') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= MAX_WORKER;
    }

    private static boolean isNumber(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!isDigit(text.charAt(i))) {
                return false;
            }
        }
        return from < to && to - from <= MAX_DIGITS;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Returns the object key, relative to the mount's blob folder: {@code 3f/worker-1048576-1700000000000000}. */
    public String key() {
        CRC32C crc = new CRC32C();
        crc.update(toString().getBytes(StandardCharsets.US_ASCII));
        return String.format(Locale.ROOT, "%02x/%s", crc.getValue() & 0xff, this);
    }

    @Override
    public String toString() {
        return worker + "-" + footerOffset + "-" + timestampMicros;
    }
}
