// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.hdfs;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** The parts of live local files that operations touched, in pieces of 64 KiB (Fig. 3.3). */
final class Touched {
    private static final int PIECE_BITS = 16;

    private final Map<Integer, BitSet> pieces = new HashMap<>();
    private final Map<Integer, BitSet> core = new HashMap<>();

    /** @param byCore whether a get or a flush touched them */
    void add(int local, long offset, long bytes, boolean byCore) {
        int from = (int) (offset >>> PIECE_BITS);
        int to = (int) ((offset + bytes - 1) >>> PIECE_BITS) + 1;
        pieces.computeIfAbsent(local, key -> new BitSet()).set(from, to);
        if (byCore) {
            core.computeIfAbsent(local, key -> new BitSet()).set(from, to);
        }
    }

    void forget(int local) {
        pieces.remove(local);
        core.remove(local);
    }

    long bytes() {
        return sum(pieces);
    }

    long coreBytes() {
        return sum(core);
    }

    private static long sum(Map<Integer, BitSet> of) {
        return of.values().stream().mapToLong(BitSet::cardinality).sum() << PIECE_BITS;
    }
}
