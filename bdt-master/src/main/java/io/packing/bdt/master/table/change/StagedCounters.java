// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.Staged;
import io.packing.bdt.master.table.row.WriteSet;

/** The counters of a mount as the mutations of a batch change them. Confined to the writer thread. */
final class StagedCounters implements Staged {
    private final Counters now;
    private final WriteSet rows;
    private final Counters accepted = new Counters();
    private final Counters groupStart = new Counters();

    /** @param rows that get the counts of files that workers hold */
    StagedCounters(Counters now, WriteSet rows) {
        this.now = now;
        this.rows = rows;
        begin();
    }

    /** Begins a batch of mutations. */
    void begin() {
        groupStart.set(now);
        accepted.set(now);
    }

    @Override
    public void accept() {
        now.held().accept(rows);
        accepted.set(now);
    }

    @Override
    public void reject() {
        now.held().reject();
        now.set(accepted);
    }

    @Override
    public void written() {
        now.held().written();
    }

    @Override
    public void abandon() {
        now.held().abandon();
        now.set(groupStart);
        accepted.set(groupStart);
    }
}
