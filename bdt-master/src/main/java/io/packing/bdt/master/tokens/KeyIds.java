// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.tokens;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;

/**
 * The ids of the keys of one group of masters, which no other group's keys have: 15 bits that the group's name gives, and a number that
 * counts its keys.
 *
 * @param tag the 15 bits; 0: of a master that is of no group
 */
public record KeyIds(int tag) {
    /** The key ids of a master without a group. */
    public static final KeyIds ALONE = new KeyIds(0);

    private static final int NUMBER_BITS = 16;
    private static final int NUMBERS = 1 << NUMBER_BITS;
    private static final int TAGS = 1 << 15;

    public KeyIds {
        if (tag < 0 || tag >= TAGS) {
            throw new IllegalArgumentException("the tag %d of key ids, want 0 to %d".formatted(tag, TAGS - 1));
        }
    }

    /** Those of a group. */
    public static KeyIds of(String group) {
        int hash = Hashing.sha256().hashString(group, StandardCharsets.UTF_8).asInt();
        return new KeyIds(1 + Integer.remainderUnsigned(hash, TAGS - 1));
    }

    /** Returns whether a key with this id is one of the group. */
    boolean has(int id) {
        return id >>> NUMBER_BITS == tag;
    }

    /** The id after another one; the first one after an id that is not of the group. */
    int after(int id) {
        int number = has(id) ? (id + 1) % NUMBERS : 1;
        return tag << NUMBER_BITS | number;
    }
}
