// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.gc;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The decision about a blob.
 *
 * @param blob key of the object below the store's prefix
 * @param bytes of the whole object
 * @param dead bytes of the body that no file needs, at present or in a snapshot
 * @param reason a word: {@code dead} goes; {@code grace}, {@code commit}, {@code unreported}, {@code snapshot} and
 *     {@code sparse} stay
 * @param detail for people
 */
public record Verdict(
        String blob, long bytes, @JsonProperty("dead_bytes") long dead, String reason, String detail) {
    static final String DEAD = "dead";

    /** Returns whether the next pass of the collector deletes the blob. */
    public boolean goes() {
        return reason.equals(DEAD);
    }
}
