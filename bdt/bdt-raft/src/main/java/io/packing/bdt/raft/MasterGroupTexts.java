// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import io.packing.bdt.master.texts.MasterTexts;
import io.packing.bdt.raft.group.MasterGroupEntry;
import io.packing.bdt.raft.group.ReplicatedTables;
import io.packing.bdt.raft.ratis.RatisOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Small texts that all members of a group keep, as entries of the group's log. The leader writes them. */
public final class MasterGroupTexts implements MasterTexts {
    private final ReplicatedTables tables;
    private final RaftTables.Proposals proposals;

    public MasterGroupTexts(ReplicatedTables tables, RaftTables.Proposals proposals) {
        this.tables = tables;
        this.proposals = proposals;
    }

    @Override
    public long version() {
        return tables.textsVersion();
    }

    @Override
    public boolean mayChange() {
        return proposals.term().isPresent();
    }

    @Override
    public Optional<String> read(String name) {
        return tables.text(name);
    }

    @Override
    public void write(String name, String text, long before) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > RatisOptions.ENTRY_BYTES) {
            throw new IOException("%s has %d bytes, and an entry of the group's log at most %d: wait until tokens end"
                    .formatted(where(name), bytes.length, RatisOptions.ENTRY_BYTES));
        }
        if (!proposals.propose(new MasterGroupEntry.Text(name, before + 1, bytes), () -> {})) {
            throw proposals.notLeader();
        }
    }

    @Override
    public String where(String name) {
        return "the group's text '%s'".formatted(name);
    }
}
