// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.fuse;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * The allowed content of a file after the acknowledged writes: slots of equal length, each with its allowed versions.
 * Version 0 is an unwritten slot: zeros, or past the end. Confined to one thread.
 */
final class SlotFile {
    static final int SLOT = 4_096;

    private final long identity;
    private final List<Set<Integer>> slots = new ArrayList<>();
    private int last;

    /** @param identity unique number, which keeps the bytes of files apart */
    SlotFile(long identity) {
        this.identity = identity;
    }

    int slots() {
        return slots.size();
    }

    /**
     * Returns new bytes for a slot, at most one past the last; until {@link #acknowledged} the file may have them or
     * not.
     */
    ByteBuffer begin(int slot) {
        if (slot == slots.size()) {
            slots.add(new TreeSet<>(Set.of(0)));
        }
        slots.get(slot).add(++last);
        return ByteBuffer.wrap(bytes(slot, last));
    }

    /** Makes the slot's last begun version the only allowed one. */
    void acknowledged(int slot) {
        slots.get(slot).removeIf(version -> version != last);
    }

    /** Returns whether a write was acknowledged, so that the file must exist. */
    boolean isSafe() {
        return slots.stream().anyMatch(versions -> !versions.contains(0));
    }

    private byte[] bytes(int slot, int version) {
        byte[] bytes = new byte[SLOT];
        new SplittableRandom(identity * 1_000_003 + slot * 7_919L + version).nextBytes(bytes);
        ByteBuffer.wrap(bytes).putInt(version);
        return bytes;
    }

    /** Checks the bytes of the file, and returns the failures. */
    List<String> wrong(byte[] found) {
        List<String> wrong = new ArrayList<>();
        for (int slot = 0; slot < slots.size(); slot++) {
            int from = Math.min(found.length, slot * SLOT);
            byte[] piece = Arrays.copyOf(Arrays.copyOfRange(found, from, Math.min(found.length, from + SLOT)), SLOT);
            int version = ByteBuffer.wrap(piece).getInt();
            boolean isWhole = Arrays.equals(piece, version == 0 ? new byte[SLOT] : bytes(slot, version));
            if (!isWhole || !slots.get(slot).contains(version)) {
                wrong.add("slot %d is %s version %d, may be %s"
                        .formatted(slot, isWhole ? "of" : "no whole", version, slots.get(slot)));
            }
        }
        if (found.length > slots.size() * SLOT) {
            wrong.add("%d bytes, where there are %d slots".formatted(found.length, slots.size()));
        }
        return wrong;
    }
}
