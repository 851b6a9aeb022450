// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import io.packing.bdt.NotLeaderException;
import io.packing.bdt.master.log.BatchRecord;
import io.packing.bdt.master.log.BatchStore;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.bdt.raft.ratis.RatisOptions;
import io.packing.sorted.DiskFullException;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A store of batches of mutations: each becomes durable at a majority of the masters, and its rows go to this member's
 * table.
 */
final class RaftBatchStore implements BatchStore {
    /** The bytes on disk for each byte of a batch: in Raft's log, and in the sorted store's. */
    private static final int COPIES = 3;

    private final String mount;
    private final long leaseEpoch;
    private final long term;
    private final Path directory;
    private final SortedStore rows;
    private final RaftTables.Proposals proposals;

    /**
     * Makes the store of one opening.
     *
     * @param leaseEpoch of the opening: members refuse batches of any other
     * @param term in which this member leads
     */
    RaftBatchStore(
            String mount,
            long leaseEpoch,
            long term,
            Path directory,
            SortedStore rows,
            RaftTables.Proposals proposals) {
        this.mount = mount;
        this.leaseEpoch = leaseEpoch;
        this.term = term;
        this.directory = directory;
        this.rows = rows;
        this.proposals = proposals;
    }

    @Override
    public SortedStore rows() {
        return rows;
    }

    @Override
    public void write(long firstPosition, long lastPosition, WriteSet changed, Runnable writing) throws IOException {
        if (!isCurrent()) {
            throw proposals.notLeader();
        }
        byte[] bytes = BatchRecord.encode(firstPosition, lastPosition, changed);
        checkSpace(bytes.length);
        int number = 0;
        int from = 0;
        for (; bytes.length - from > RatisOptions.ENTRY_BYTES; from += RatisOptions.ENTRY_BYTES) {
            byte[] part = Arrays.copyOfRange(bytes, from, from + RatisOptions.ENTRY_BYTES);
            propose(new MasterGroupEntry.Part(mount, leaseEpoch, firstPosition, number++, part), () -> {});
        }
        byte[] rest = from == 0 ? bytes : Arrays.copyOfRange(bytes, from, bytes.length);
        propose(new MasterGroupEntry.Rows(mount, leaseEpoch, firstPosition, lastPosition, number, rest), writing);
    }

    private void propose(MasterGroupEntry entry, Runnable writing) throws IOException {
        if (!proposals.propose(entry, writing)) {
            throw new NotLeaderException(
                    "mount %s was opened by another master of the group".formatted(mount), Optional.empty());
        }
    }

    /** Refuses a batch if the disk is nearly full: once it is in the log, no member can refuse it. */
    private void checkSpace(int bytes) throws IOException {
        long kept = keptFreeBytes();
        if (kept > 0 && Files.getFileStore(directory).getUsableSpace() - kept < (long) COPIES * bytes) {
            throw new DiskFullException("%s: free some space, so that %d bytes stay free".formatted(directory, kept));
        }
    }

    @Override
    public void tidy() {
        // Each member purges its log itself, when it saves its tables.
    }

    @Override
    public boolean isCurrent() {
        return proposals.term().filter(now -> now == term).isPresent();
    }

    @Override
    public long keptFreeBytes() {
        return rows.keptFreeBytes();
    }

    @Override
    public void close() {
        // The member owns the table, and closes it.
    }
}
