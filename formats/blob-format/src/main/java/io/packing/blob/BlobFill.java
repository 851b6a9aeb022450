// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

/**
 * The rule that decides when a blob is full. It counts the bytes of the files, since the target of a blob's size
 * balances PUTs against users' bytes. So a gigabyte of small files is one blob: their headers do not push a remainder
 * into a second one. It also counts many headers and names, so that no blob is larger than its limit and a sixteenth.
 */
public final class BlobFill {
    private static final double HEADERS = 16;

    private BlobFill() {}

    /**
     * Returns whether a blob takes no more files.
     *
     * @param fileBytes stored bytes of its files
     * @param bytes all its bytes so far
     * @param most the target of its file bytes
     */
    public static boolean isFull(double fileBytes, double bytes, long most) {
        return fileBytes >= most || bytes >= most + most / HEADERS;
    }

    /**
     * Returns the bytes with which a blob is full, if it goes on as it began.
     *
     * @param fileBytes stored bytes of its files so far
     * @param bytes all its bytes so far
     * @param most the target of its file bytes
     */
    public static double end(double fileBytes, double bytes, long most) {
        return Math.min(most * bytes / fileBytes, most + most / HEADERS);
    }
}
