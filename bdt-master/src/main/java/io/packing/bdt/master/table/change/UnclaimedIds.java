// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.FileIds;
import io.packing.bdt.master.table.row.Staged;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * File ids that are leased and have surely never been claimed: a claim of one need not look in the store whether it is
 * repeated. Knows the latest leases of this process only; an id that it does not have may be unclaimed all the same.
 * Confined to the writer thread.
 */
public final class UnclaimedIds implements Staged {
    /** A lease takes 8 KB of bits. */
    private static final int MOST_LEASES = 256;

    private record Lease(long first, long end, BitSet claimed) {
        int index(long id) {
            return (int) (id - first);
        }
    }

    private final TreeMap<Long, Lease> leases = new TreeMap<>();
    /** First ids of the leases of the batch under way. */
    private final BatchAdditions<Long> added = new BatchAdditions<>(leases::remove);

    /** A range of ids was never handed out before. */
    public void add(long first, int count) {
        if (count > FileIds.RANGE) {
            return;
        }
        leases.put(first, new Lease(first, first + count, new BitSet()));
        added.add(first);
    }

    @Override
    public void accept() {
        added.accept();
    }

    @Override
    public void reject() {
        added.reject();
    }

    @Override
    public void written() {
        added.written();
        while (leases.size() > MOST_LEASES) {
            leases.pollFirstEntry();
        }
    }

    @Override
    public void abandon() {
        added.abandon();
    }

    public boolean contains(long id) {
        return lease(id).filter(lease -> !lease.claimed().get(lease.index(id))).isPresent();
    }

    /** The id is claimed, or would be if its batch were not given up. */
    void remove(long id) {
        lease(id).ifPresent(lease -> lease.claimed().set(lease.index(id)));
    }

    private Optional<Lease> lease(long id) {
        return Optional.ofNullable(leases.floorEntry(id))
                .map(Map.Entry::getValue)
                .filter(lease -> id < lease.end());
    }
}
