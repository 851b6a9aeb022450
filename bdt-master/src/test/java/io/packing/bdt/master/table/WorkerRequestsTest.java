// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerInfo;
import org.junit.jupiter.api.Test;

class WorkerRequestsTest {
    private final WorkerRequests requests = new WorkerRequests();

    private void hear(String worker, long since, long puts) {
        StoreRequests all = new StoreRequests(puts, 0, 2 * puts, 0, 0, 0, 0);
        requests.heard(new WorkerInfo(worker, "h:1", 1, 0, 0, new WorkerActivity(since, 0, 0, 0, all)));
    }

    private long puts() {
        assertThat(requests.total().gets()).isEqualTo(2 * requests.total().puts());
        return requests.total().puts();
    }

    @Test
    void whatAWorkerDidBeforeItsFirstReportIsNotCounted() {
        hear("a", 1, 1_000);
        assertThat(puts()).isZero();
        hear("a", 1, 1_003);
        hear("b", 1, 7);
        hear("b", 1, 8);
        assertThat(puts()).isEqualTo(4);
    }

    /** A worker may push before its first report: no other master has counted these requests. */
    @Test
    void ofAWorkerThatIsNewToTheMountAllCounts() {
        requests.begins("a");
        hear("a", 1, 4);
        assertThat(puts()).isEqualTo(4);
        hear("a", 1, 6);
        requests.begins("a");
        hear("a", 1, 7);
        assertThat(puts()).isEqualTo(7);
    }

    @Test
    void aWorkerThatBeginsAnewCountsFromZero() {
        hear("a", 1, 10);
        hear("a", 1, 12);
        hear("a", 2, 11);
        assertThat(puts()).isEqualTo(2 + 11);
    }

    @Test
    void countsThatGoBackTakeNothingAway() {
        hear("a", 1, 10);
        hear("a", 1, 12);
        hear("a", 1, 3);
        assertThat(puts()).isEqualTo(2);
    }

    /** Heartbeats of all workers are added to one sum. */
    @Test
    void aWorkerThatTellsOfImpossiblyManyStopsNobodyElse() {
        long most = Long.MAX_VALUE;
        StoreRequests all = new StoreRequests(most, most, most, most, most, most, most);
        for (int began = 1; began <= 3; began++) {
            requests.heard(new WorkerInfo("liar", "h:1", 1, 0, 0, new WorkerActivity(began, 0, most, most, all)));
        }
        hear("a", 1, 10);
        hear("a", 1, 12);
        assertThat(requests.total()).isEqualTo(all);
    }
}
