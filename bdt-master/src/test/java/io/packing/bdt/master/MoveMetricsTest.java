// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The metrics of mount moves. */
@Timeout(180)
class MoveMetricsTest extends TwoGroupsFixture {
    private double metric(String group, String name) {
        return groups.master(group)
                .metrics()
                .scrape()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + name));
    }

    /** Waits for the counts: a caller hears that a move is over a moment before its thread ends. */
    private void counts(String group, double started, double done, double undone)
            throws IOException, InterruptedException {
        List<Double> expected = List.of(started, done, undone);
        List<List<Double>> seen = new ArrayList<>();
        Await.until("group %s counts %s".formatted(group, expected), () -> {
            seen.add(List.of(
                    metric(group, "bdt_mount_moves_started_total"),
                    metric(group, "bdt_mount_moves_ended_total{outcome=\"done\"}"),
                    metric(group, "bdt_mount_moves_ended_total{outcome=\"undone\"}")));
            return seen.get(seen.size() - 1).equals(expected);
        });
    }

    @Test
    void aMasterCountsTheMovesThatItMakesAndHowLongChangesWaited() throws Exception {
        counts("a", 0, 0, 0);
        counts("b", 0, 0, 0);
        Bdt mount = groups.client("a").open(groups.options());
        assertThat(mount.mkdir(new FilePath("/d"), new DirectoryAttributes("u", "g", 0755), false))
                .isEqualTo(Outcome.DONE);
        MoveProgress there = groups.move("b");
        assertThat(there.state()).isEqualTo(MoveProgress.State.DONE);
        counts("a", 1, 1, 0);
        double waited = metric("a", "bdt_mount_moves_waited_seconds_total");
        assertThat(waited).isPositive();
        counts("b", 0, 0, 0);
        assertThat(metric("b", "bdt_mount_moves_waited_seconds_total")).isZero();
        assertThat(groups.move("a").state()).isEqualTo(MoveProgress.State.DONE);
        counts("a", 1, 1, 0);
        counts("b", 1, 1, 0);
        groups.kill("b");
        BdtMaster unused = groups.start("b", "file://" + root.resolve("other"));
        assertThat(groups.move("b").state()).isEqualTo(MoveProgress.State.UNDONE);
        counts("a", 2, 1, 1);
        // It was refused before any change had to wait.
        assertThat(metric("a", "bdt_mount_moves_waited_seconds_total")).isEqualTo(waited);
        // Once more, without having asked for it: nothing is counted that was not begun.
        assertThat(groups.await("b").isOver()).isTrue();
        counts("a", 2, 1, 1);
    }
}
