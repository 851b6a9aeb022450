// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.MountStatus;
import io.packing.bdt.StoreRequests;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerInfo;
import io.packing.options.PriceTable;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class MasterActivityTest {
    private static final PriceTable PRICES = new PriceTable(5, 5, 0.4, 0.4, 1e9, 0.02, 0, 100);

    private static WorkerInfo worker(String name, long oldestMillis, long files, long bytes) {
        return new WorkerInfo(
                name, "h:1", 1, 3, 30, new WorkerActivity(1, oldestMillis, files, bytes, StoreRequests.NONE));
    }

    private static MountReport mount(String store, long masterPuts, long workerPuts, WorkerInfo... workers) {
        return MountReport.of(
                new MountStatus(
                        "m",
                        store,
                        new BdtStatistics(100, 10, 6, 1_000, 2, 1_200, 100),
                        Arrays.asList(workers),
                        new StoreRequests(masterPuts, 0, 0, 0, 0, 0, 0),
                        new StoreRequests(workerPuts, 0, 0, 0, 0, 0, 0),
                        "",
                        List.of(),
                        List.of()),
                PRICES);
    }

    @Test
    void ratesAreWhatCameBetweenTwoLooks() {
        List<MountReport> before = List.of(mount("s", 10, 100, worker("a", 0, 50, 500), worker("b", 0, 7, 70)));
        List<MountReport> now = List.of(mount("s", 11, 103, worker("a", 4_000, 70, 900), worker("b", 9_000, 8, 80)));
        MasterActivity.Mount mount =
                MasterActivity.between(before, now, 2).mounts().get(0);
        assertThat(mount.pushedFiles()).isEqualTo(10.5);
        assertThat(mount.pushedBytes()).isEqualTo(205);
        assertThat(mount.puts()).isEqualTo(2);
        assertThat(mount.dollarsPerDay()).isBetween(863.9, 864.1);
        assertThat(mount.oldestSeconds()).isEqualTo(9);
        assertThat(mount.workers().get(0).pushedBytes()).isEqualTo(200);
    }

    @Test
    void theFirstLookAndWhatIsNewHaveNoRates() {
        List<MountReport> now = List.of(mount("s", 11, 103, worker("a", 0, 70, 900)));
        MasterActivity.Mount first =
                MasterActivity.between(List.of(), now, 0).mounts().get(0);
        assertThat(first.puts() + first.pushedFiles() + first.dollarsPerDay()).isZero();
        MasterActivity.Mount appeared =
                MasterActivity.between(List.of(), now, 5).mounts().get(0);
        assertThat(appeared.puts() + appeared.pushedFiles() + appeared.dollarsPerDay())
                .isZero();
    }

    @Test
    void aWorkerThatBeganAnewTakesNothingAway() {
        List<MountReport> before = List.of(mount("s", 10, 100, worker("a", 0, 50, 500)));
        List<MountReport> now = List.of(mount("s", 10, 100, worker("a", 0, 3, 30)));
        MasterActivity.Mount mount =
                MasterActivity.between(before, now, 1).mounts().get(0);
        assertThat(mount.pushedFiles()).isZero();
        assertThat(mount.pushedBytes()).isZero();
    }
}
