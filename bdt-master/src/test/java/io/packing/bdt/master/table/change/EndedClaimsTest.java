// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.TreeStore;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.StoreRows;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.blob.FileVersion;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class EndedClaimsTest {
    private static final int MORE_THAN_FIT = 20_000;

    private final TreeStore store = new TreeStore();
    private final WriteSet rows = new WriteSet(store);

    private EndedClaims written(EndedClaims claims) throws IOException {
        claims.accept();
        claims.written();
        rows.accept();
        store.write(rows.toBatch(), SortedStore.Sync.NONE);
        rows.written();
        return EndedClaims.load(new StoreRows(store));
    }

    @Test
    void theLatestOutliveARestart() throws IOException {
        EndedClaims claims = EndedClaims.load(new StoreRows(store));
        for (int restarts = 0; restarts < 3; restarts++) {
            for (int i = 1; i <= MORE_THAN_FIT; i++) {
                claims.remember(rows, new FileVersion(restarts * MORE_THAN_FIT + i, i));
            }
            claims = written(claims);
            long last = (restarts + 1L) * MORE_THAN_FIT;
            assertThat(claims.of(last)).contains(new FileVersion(last, MORE_THAN_FIT));
            assertThat(claims.of(last - 16_383)).isPresent();
            assertThat(claims.of(last - 16_384)).isEmpty();
        }
    }

    @Test
    void whatIsTakenBackIsForgotten() throws IOException {
        EndedClaims claims = EndedClaims.load(new StoreRows(store));
        claims.remember(rows, new FileVersion(1, 1));
        claims.accept();
        claims.remember(rows, new FileVersion(2, 2));
        claims.reject();
        assertThat(claims.of(1)).isPresent();
        assertThat(claims.of(2)).isEmpty();
        claims.abandon();
        assertThat(claims.of(1)).isEmpty();
    }

    @Test
    void answersToRequestsAreNoClaims() throws IOException {
        EndedClaims claims = EndedClaims.load(new StoreRows(store));
        claims.remember(rows, new FileVersion(5, 7));
        rows.put(
                Keys.numbered(Keys.REQUEST, 3),
                new Bytes.Out().fixed8(9).text("DONE").number(4).toBytes());
        EndedClaims loaded = written(claims);
        assertThat(loaded.of(5)).contains(new FileVersion(5, 7));
        assertThat(loaded.of(9)).isEmpty();
        RequestMemory requests = RequestMemory.load(new StoreRows(store));
        assertThat(requests.answer(9)).contains(Outcome.DONE);
        assertThat(requests.answer(5)).isEmpty();
    }
}
