// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.Quota;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.ScanPart;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test that a quota of a group of masters holds whichever member leads. */
@Timeout(180)
class GroupQuotasTest {
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);
    private static final FilePath LIMITED = new FilePath("/d");
    private static final int MOST = 401;

    @TempDir
    private Path root;

    /** Makes directories until the quota of names is used up; returns their number. */
    private static int fill(Bdt table, int client, AtomicInteger made) throws Exception {
        for (int i = 0; ; i++) {
            try {
                Outcome outcome = table.mkdir(LIMITED.child("%d-%d".formatted(client, i)), DIRECTORY, false);
                assertThat(outcome).isEqualTo(Outcome.DONE);
                int unused = made.incrementAndGet();
            } catch (QuotaExceededException full) {
                return i;
            }
        }
    }

    @Test
    void clientsThatFillADirectoryWhileTheLeaderDiesNeverPassItsQuota() throws Exception {
        try (Masters masters = new Masters(root).saving(50).startAll(List.of("a", "b", "c"));
                GrpcBdts client = masters.client()) {
            Bdt table = client.open(masters.mount());
            assertThat(table.mkdir(LIMITED, DIRECTORY, false)).isEqualTo(Outcome.DONE);
            assertThat(table.setQuota(LIMITED, new QuotaChange(OptionalLong.of(MOST), OptionalLong.empty())))
                    .isEqualTo(Outcome.DONE);
            ExecutorService clients = Executors.newFixedThreadPool(3);
            AtomicInteger made = new AtomicInteger();
            try {
                List<Future<Integer>> filled = new ArrayList<>();
                for (int i = 0; i < 3; i++) {
                    int me = i;
                    filled.add(clients.submit((Callable<Integer>) () -> fill(table, me, made)));
                }
                while (made.get() < MOST / 4) {
                    Thread.onSpinWait();
                }
                masters.stop(masters.leader());
                int all = 0;
                for (Future<Integer> each : filled) {
                    all += each.get();
                }
                assertThat(all).isEqualTo(MOST - 1);
            } finally {
                clients.shutdownNow();
            }
            Quota quota = table.quota(LIMITED).orElseThrow();
            assertThat(quota.names()).isEqualTo(MOST);
            assertThat(quota.mostNames()).hasValue(MOST);
            assertThat(table.list(LIMITED, "", 1_000).orElseThrow()).hasSize(MOST - 1);
            assertThat(table.scan(ScanPart.QUOTAS, "").problems()).isEmpty();
        }
    }
}
