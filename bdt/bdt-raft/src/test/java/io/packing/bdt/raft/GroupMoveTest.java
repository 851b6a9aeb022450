// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.FederationClient;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.Federation;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test of mounts that move between a group of one master and a group of three. */
@Timeout(240)
class GroupMoveTest {
    private static final List<String> THREE = List.of("a", "b", "c");
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);
    private static final int NAMES = 3_000;

    @TempDir
    private Path root;

    private static BdtMaster alone(Path data, int port, Map<String, String> groups, String store) throws IOException {
        return BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        data.toString(),
                        "bdt.port",
                        Integer.toString(port),
                        "bdt.mounts.groups",
                        groups.entrySet().stream()
                                .map(group ->
                                        group.getKey() + "=" + group.getValue().replace(',', '|'))
                                .collect(Collectors.joining(",")),
                        "bdt.mounts.group",
                        "one",
                        "bdt.stores",
                        store)))
                .serve();
    }

    private static void move(FederationClient groups, String to) throws IOException, InterruptedException {
        String mount = groups.table().mounts().get(0).mount();
        List<MoveProgress> last = new ArrayList<>(List.of(groups.move(mount, to, true)));
        Await.until("the move to " + to + " is over", () -> {
            last.add(groups.move(mount, to, false));
            return last.get(last.size() - 1).isOver();
        });
        MoveProgress end = last.get(last.size() - 1);
        assertThat(end.state()).as(end.problem()).isEqualTo(MoveProgress.State.DONE);
    }

    /** Moves a mount there and back. The first group, which has the table of mounts, is the one master or the three. */
    private void thereAndBack(boolean tableAtThree) throws Exception {
        try (Masters masters = new Masters(root)) {
            String unused = masters.peers(THREE);
            int port = Masters.freePort();
            Map<String, String> groups = new LinkedHashMap<>();
            String three = THREE.stream().map(masters::address).collect(Collectors.joining(","));
            if (tableAtThree) {
                groups.put("two", three);
                groups.put("one", "127.0.0.1:" + port);
            } else {
                groups.put("one", "127.0.0.1:" + port);
                groups.put("two", three);
            }
            Masters started = masters.spreadOver(new Federation("two", groups)).startAll(THREE);
            String store = started.mount().getOrDefault("packing.store", "");
            try (BdtMaster one = alone(root.resolve("one"), port, groups, store);
                    GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + one.port(), Duration.ofSeconds(60))) {
                Bdt mount = client.open(started.mount());
                for (int i = 0; i < NAMES; i++) {
                    assertThat(mount.mkdir(new FilePath("/d" + i), DIRECTORY, false))
                            .isEqualTo(Outcome.DONE);
                }
                move(client.groups(), "two");
                assertThat(mount.mkdir(new FilePath("/at-two"), DIRECTORY, false))
                        .isEqualTo(Outcome.DONE);
                String leader = started.leader();
                started.stop(leader);
                assertThat(mount.stat(new FilePath("/at-two"))).isPresent();
                Masters.Running again = started.start(leader, THREE);
                assertThat(again.master().port()).isPositive();
                move(client.groups(), "one");
                assertThat(mount.mkdir(new FilePath("/back"), DIRECTORY, false)).isEqualTo(Outcome.DONE);
                assertThat(mount.statistics().directories()).isEqualTo(NAMES + 2L);
            }
        }
    }

    @Test
    void aMountMovesToThreeMastersAndBack() throws Exception {
        thereAndBack(false);
    }

    @Test
    void threeMastersKeepTheTableOfMounts() throws Exception {
        thereAndBack(true);
    }
}
