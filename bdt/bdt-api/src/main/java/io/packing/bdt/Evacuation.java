// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/**
 * The progress of an evacuation: the blobs of a mount go from one store to another.
 *
 * @param from location of the old store
 * @param to location of the new store
 * @param blobs that were found at the old store
 * @param copied those of them that the new store has
 * @param copiedBytes that this master has copied
 * @param problem the reason why it does not go on; empty: it does
 * @param done whether the blobs are at the new store only
 */
public record Evacuation(
        String from, String to, long blobs, long copied, long copiedBytes, String problem, boolean done) {
    /** Returns this progress with the reason why it does not go on. */
    public Evacuation failing(String why) {
        return new Evacuation(from, to, blobs, copied, copiedBytes, why, done);
    }
}
