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

    @Test
    void theLeaderCountsMembersThatItDoesNotHearOf() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE)) {
            String leader = masters.leader();
            Standing healthy = masters.member(leader).standing();
            assertThat(healthy.leads()).isTrue();
            assertThat(healthy.term()).isPositive();
            assertThat(healthy.members()).isEqualTo(3);
            assertThat(healthy.silent()).isZero();
            String other =
                    THREE.stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
            Standing follower = masters.member(other).standing();
            assertThat(follower.leads()).isFalse();
            assertThat(follower.members()).isEqualTo(3);
            masters.stop(other);
            while (masters.member(leader).standing().silent() != 1) {
                Thread.sleep(20);
            }
            Masters.Running unused = masters.start(other, THREE);
            while (masters.member(leader).standing().silent() != 0) {
                Thread.sleep(20);
            }
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
            String leader = masters.leader();
            for (String id : THREE) {
                if (!id.equals(leader)) {
                    masters.stop(id);
                }
            }
            while (masters.member(leader).standing().leads()) {
                Thread.sleep(20);
            }
            assertThat(masters.member(leader).standing().silent()).isZero();
        }
    }
}
