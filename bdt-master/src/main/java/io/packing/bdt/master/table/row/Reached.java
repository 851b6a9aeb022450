// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

/**
 * The state that a table has reached.
 *
 * @param position of its last mutation
 * @param nextId the first id that it has not leased
 * @param print of all its counters: commits take no position, and count
 */
public record Reached(long position, long nextId, long print) {
    public Reached {
        if (position < 0 || nextId < 0 || print < 0) {
            throw new IllegalArgumentException("bad standing %d, %d, %d".formatted(position, nextId, print));
        }
    }
}
