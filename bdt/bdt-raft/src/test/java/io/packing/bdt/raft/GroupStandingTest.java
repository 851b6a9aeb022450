package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.MasterGroup.Standing;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What members say of their group, for those who watch it. */
@Timeout(120)
class GroupStandingTest {
    private static final List<String> THREE = List.of("a", "b", "c");

    @TempDir
    private Path root;

    /** Waits until the member that leads says so; which one does may change at any time. */
    private static Standing awaitLeader(Masters masters, List<String> running, int silent) throws InterruptedException {
        while (true) {
            for (String id : running) {
                Standing now = masters.member(id).standing();
                if (now.leads() && now.silent() == silent) {
                    return now;
                }
            }
            Thread.sleep(20);
        }
    }

    @Test
    void theLeaderCountsMembersThatItDoesNotHearOf() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE)) {
            Standing healthy = awaitLeader(masters, THREE, 0);
            assertThat(healthy.term()).isPositive();
            assertThat(healthy.members()).isEqualTo(3);
            masters.stop("c");
            assertThat(awaitLeader(masters, List.of("a", "b"), 1).members()).isEqualTo(3);
            Masters.Running unused = masters.start("c", THREE);
            assertThat(awaitLeader(masters, THREE, 0).members()).isEqualTo(3);
        }
    }

    @Test
    void aLeaderThatStopsHandsTheGroupOver() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE)) {
            String leader = masters.leader();
            long before = masters.member(leader).standing().term();
            masters.stop(leader);
            // An election by itself would begin a lease later.
            assertThat(THREE.stream()
                            .filter(id -> !id.equals(leader))
                            .mapToLong(id -> masters.member(id).standing().term()))
                    .anyMatch(term -> term > before);
        }
    }

    @Test
    void whoDoesNotReachMostDoesNotLead() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE)) {
            masters.stop("b");
            masters.stop("c");
            while (masters.member("a").standing().leads()) {
                Thread.sleep(20);
            }
            assertThat(masters.member("a").standing().silent()).isZero();
        }
    }
}
