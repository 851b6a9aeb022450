// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

/** Tells upkeep that there may be rows of dropped snapshots, so that it need not look through those of all snapshots. Thread-safe. */
public final class DroppedSnapshots {
    private volatile boolean mayBe = true;

    /** Returns whether there may be any: it is not known before the writer first looked. */
    public boolean mayBe() {
        return mayBe;
    }

    void are(boolean any) {
        mayBe = any;
    }
}
