// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

/**
 * The part of a blob that must be there before its push begins. Each cut doubles it, so that writers that pause or flush
 * early cost few cut requests; each success halves it. After several cuts in a row it leaves out segments. Confined to
 * one thread.
 */
final class Boldness {
    private static final int FIRST_PART = 16;
    /** The cuts after which the part is a half. */
    private static final int DOUBLINGS = 3;

    private static final int MOST_LEFT_OUT = 64;

    private int cuts;
    private int leftOut;

    /** Returns the bytes with which a push may begin. */
    long leastBytes(long blobMaxBytes) {
        return (blobMaxBytes / FIRST_PART) << Math.min(cuts, DOUBLINGS);
    }

    /** Returns whether a segment is to be left out; counts it then. */
    boolean leavesOut() {
        if (leftOut > 0) {
            leftOut--;
            return true;
        }
        return false;
    }

    void succeeded() {
        cuts = Math.max(0, Math.min(cuts, DOUBLINGS) - 1);
    }

    void wasCut() {
        cuts++;
        if (cuts > DOUBLINGS) {
            leftOut = Math.min(MOST_LEFT_OUT, 1 << Math.min(cuts - DOUBLINGS - 1, 10));
        }
    }
}
