// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import io.packing.bdt.NotLeaderException;
import io.packing.bdt.master.MountTables;
import io.packing.bdt.master.cloud.ReadyMount;
import io.packing.bdt.master.log.BatchRecord;
import io.packing.bdt.master.log.BatchStore;
import io.packing.bdt.master.table.TableState;
import io.packing.bdt.master.table.change.Counters;
import io.packing.bdt.raft.group.Folders;
import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.bdt.raft.group.MasterGroupState;
import io.packing.bdt.raft.group.ReplicatedTables;
import io.packing.durable.DurableDirectory;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** The tables of a group of masters, which the leader opens and changes by entries of the group's log. */
public final class RaftTables implements MountTables {
    private static final int PAGE_BYTES = 1 << 20;

    private final String group;
    private final Path dataDir;
    private final ReplicatedTables tables;
    private final ReplicatedTables.Opener opener;
    private final Proposals proposals;

    /** A proposer of entries. */
    public interface Proposals {
        /** Returns the term in which this member leads; empty if it does not lead. */
        Optional<Long> term();

        /** Returns the reason for which this member does not lead. */
        NotLeaderException notLeader();

        /** Proposes an entry; returns whether all members accept it. */
        boolean propose(MasterGroupEntry entry, Runnable writing) throws IOException;
    }

    /** @param opener of scratch tables */
    public RaftTables(
            String group, Path dataDir, ReplicatedTables tables, ReplicatedTables.Opener opener, Proposals proposals) {
        this.group = group;
        this.dataDir = dataDir;
        this.tables = tables;
        this.opener = opener;
        this.proposals = proposals;
    }

    @Override
    public String holder() {
        return group;
    }

    @Override
    public boolean isShared() {
        return true;
    }

    @Override
    public Path folder(String mount) {
        return dataDir.resolve(mount);
    }

    @Override
    public void rename(String before, String mount) {
        // Groups never had mounts under the older names.
    }

    @Override
    public Optional<ReadyMount> ready(String mount) throws IOException {
        long unused = term();
        return tables.mount(mount)
                .map(known -> ReadyMount.decode(known.ready().lines().toList()));
    }

    @Override
    public SortedStore look(String mount) throws IOException {
        return tables.table(mount);
    }

    @Override
    public void recover(String mount, ReadyMount ready, Filling filling) throws IOException {
        Path scratch = folder(mount).resolve("recovery");
        Folders.remove(scratch);
        try (SortedStore fresh = opener.open(DurableDirectory.create(scratch))) {
            filling.fill(fresh);
            TableState.prepare(fresh);
            long position = fresh.get(Counters.KEY)
                    .map(Counters::decode)
                    .map(Counters::position)
                    .orElse(0L);
            long token = (UUID.randomUUID().getMostSignificantBits() >>> 1) | 1;
            propose(new MasterGroupEntry.Begin(mount, token), mount);
            propose(fresh, mount, token);
            propose(new MasterGroupEntry.Hold(mount, ready.leaseEpoch(), ready.encode(), token, position), mount);
        }
        Folders.remove(scratch);
    }

    private void propose(SortedStore all, String mount, long token) throws IOException {
        WriteBatch page = new WriteBatch();
        try (Cursor rows = all.scan(new byte[0], new byte[0])) {
            while (rows.next()) {
                page.put(rows.key(), rows.value());
                if (page.bytes() >= PAGE_BYTES) {
                    propose(new MasterGroupEntry.Fill(mount, token, BatchRecord.encode(page)), mount);
                    page = new WriteBatch();
                }
            }
        }
        propose(new MasterGroupEntry.Fill(mount, token, BatchRecord.encode(page)), mount);
    }

    @Override
    public void hold(String mount, ReadyMount ready) throws IOException {
        propose(new MasterGroupEntry.Hold(mount, ready.leaseEpoch(), ready.encode(), 0, 0), mount);
    }

    private void propose(MasterGroupEntry entry, String mount) throws IOException {
        if (!proposals.propose(entry, () -> {})) {
            throw new NotLeaderException(
                    "mount %s is being opened by another master of the group".formatted(mount), Optional.empty());
        }
    }

    @Override
    public void receive(String mount, long token) throws IOException {
        propose(new MasterGroupEntry.Begin(mount, token), mount);
    }

    @Override
    public void received(String mount, long token, WriteBatch rows) throws IOException {
        propose(new MasterGroupEntry.Fill(mount, token, BatchRecord.encode(rows)), mount);
    }

    @Override
    public void receivedAll(String mount, long token, boolean complete) {
        // A majority of the members has each entry on disk.
    }

    @Override
    public Optional<byte[]> ofReceived(String mount, long token, byte[] key) throws IOException {
        return tables.filled(mount, token, key);
    }

    @Override
    public Optional<Long> receiving(String mount) {
        return tables.filling(mount);
    }

    @Override
    public void stopReceiving() {
        // The member owns the tables, and closes them.
    }

    @Override
    public void takeReceived(String mount, long token, ReadyMount ready) throws IOException {
        long position = ofReceived(mount, token, Counters.KEY)
                .map(Counters::decode)
                .map(Counters::position)
                .orElse(0L);
        propose(new MasterGroupEntry.Hold(mount, ready.leaseEpoch(), ready.encode(), token, position), mount);
    }

    @Override
    public BatchStore open(String mount, boolean synced) throws IOException {
        long term = term();
        MasterGroupState.Mount known = tables.mount(mount)
                .orElseThrow(() -> new IOException("mount %s has no table in this group".formatted(mount)));
        return new RaftBatchStore(mount, known.leaseEpoch(), term, dataDir, tables.table(mount), proposals);
    }

    private long term() throws NotLeaderException {
        return proposals.term().orElseThrow(proposals::notLeader);
    }
}
