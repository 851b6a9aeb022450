// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

/**
 * The bounds between the two forms of a file's map: in the file's entry, or in rows of its own (RFC 0020).
 *
 * @param mostInEntry a map with more references goes to rows
 * @param leastInRows a map with fewer references goes back to the entry
 * @param rowsPerStep rows of a map that one step removes
 * @param lostBytes bytes of a content that fragmented files give up before it is looked at for unused extents
 * @param leastLayered a map with fewer references is copied for a clone or a snapshot
 * @param mostLayers layers of a map below its top; a clone that would take more is a copy
 */
public record MapForm(
        int mostInEntry, int leastInRows, int rowsPerStep, long lostBytes, int leastLayered, int mostLayers) {
    /** A larger content is looked at when this share of it is given up. */
    private static final int LOST_SHARE = 16;

    public static final MapForm USUAL = new MapForm(64, 32, 500, 64 << 10, 1_024, 64);

    public MapForm {
        boolean bounded = leastLayered >= 1 && mostLayers >= 0;
        if (mostInEntry < 1
                || leastInRows > mostInEntry
                || leastInRows < 0
                || rowsPerStep < 1
                || lostBytes < 0
                || !bounded) {
            throw new IllegalArgumentException(
                    "maps of %d and %d references, %d rows a step, %d lost bytes, %d layers of maps of %d references"
                            .formatted(mostInEntry, leastInRows, rowsPerStep, lostBytes, mostLayers, leastLayered));
        }
    }

    /** Returns the bytes of a content of some length that fragmented files give up before it is looked at. */
    public long lostBytesOf(long length) {
        return lostBytes == 0 ? 0 : Math.max(lostBytes, length / LOST_SHARE);
    }
}
