// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The log of a member. The disk has its first entries forced, and a snapshot drops entries at its beginning. */
final class VirtualLog {
    /** An entry as members send and keep it. */
    @SuppressWarnings("ArrayRecordComponent") // No code changes the bytes.
    record Entry(long term, byte[] bytes) {}

    private final List<Entry> entries = new ArrayList<>();
    private long first;
    private long termBefore;
    private long forced = -1;

    long first() {
        return first;
    }

    long last() {
        return first + entries.size() - 1;
    }

    /** Returns the index of the last forced entry. */
    long forced() {
        return forced;
    }

    Entry get(long index) {
        return entries.get((int) (index - first));
    }

    /** Returns the term of an entry, or of the one before the first; 0 before all. */
    long termAt(long index) {
        return index == first - 1 ? termBefore : get(index).term;
    }

    /** Returns entries from an index on, up to a number. */
    List<Entry> from(long index, int most) {
        int from = (int) (index - first);
        return List.copyOf(entries.subList(from, Math.min(entries.size(), from + most)));
    }

    void add(Entry entry) {
        entries.add(entry);
    }

    void force() {
        forced = last();
    }

    /** Drops an entry and all after it. */
    void truncate(long index) {
        entries.subList((int) (index - first), entries.size()).clear();
        forced = Math.min(forced, index - 1);
    }

    /** Drops all entries up to an index. */
    void purge(long index) {
        termBefore = termAt(index);
        entries.subList(0, (int) (index - first + 1)).clear();
        first = index + 1;
        forced = Math.max(forced, index);
    }

    /** Begins anew after a snapshot. */
    void reset(long index, long term) {
        entries.clear();
        first = index + 1;
        termBefore = term;
        forced = index;
    }

    /** Keeps all forced entries, and some of the others. */
    void lose(Random random) {
        long kept = forced + random.nextInt((int) (last() - forced) + 1);
        truncate(kept + 1);
        force();
    }
}
