// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;

/** Counts anew the files that workers hold, and compares them with what a table has counted. */
public final class HeldRecount {
    private HeldRecount() {}

    /** Fails unless rows and statistics of a table at rest say what is there. */
    public static void check(Table table) throws IOException {
        Rows rows = table.rows();
        Sessions sessions = Sessions.load(rows);
        Counters counted = rows.get(Counters.KEY).map(Counters::decode).orElseGet(Counters::new);
        assertThat(counted.heldAreCounted).isTrue();
        HeldFiles byRows = HeldFiles.load(rows, true, sessions.all());
        HeldFiles anew = HeldFiles.load(rows, false, sessions.all());
        assertThat(byRows).asString().isEqualTo(anew.toString());
        BdtStatistics told = table.statistics();
        assertThat(new HeldFiles.Count(told.lostFiles(), told.lostBytes())).isEqualTo(anew.lost());
        assertThat(told.missingFiles()).isEqualTo(anew.missing().files());
        assertThat(told.bufferedFiles()).isEqualTo(counted.bufferedFiles - anew.notWaiting());
    }

    /** Makes the row of the counters that of a version that counted nothing of it. */
    public static byte[] olderCounters(byte[] row) {
        byte[] older = new byte[row.length - 1];
        System.arraycopy(row, 0, older, 0, older.length);
        return older;
    }
}
