// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.bdt.master.table.operation.TreeReap;
import java.io.IOException;

/** The removal of what was below deleted directories, step by step through a table's writer. */
public final class Reaper {
    private final Table table;

    public Reaper(Table table) {
        this.table = table;
    }

    /** Removes some entries; returns whether there was anything to do. */
    public boolean step() throws IOException {
        return TreeReap.isDue(table.rows()) && Waiting.on(table.writer().submit(TreeReap::step));
    }
}
