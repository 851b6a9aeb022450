// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.MasterGroupOptions;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import io.packing.transport.Security;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test of members that an operator removed from their group: one that runs, and one that starts again later. */
@Timeout(180)
class RemovedMemberTest {
    private static final List<String> THREE = List.of("a", "b", "c");

    @TempDir
    private Path root;

    private static void remove(Masters masters, String id) throws IOException {
        try (MasterGroupMembers members =
                MasterGroupMembers.connect(MasterGroupOptions.peers(masters.peers(THREE)), Security.NONE)) {
            members.remove(id);
        }
    }

    private static void assertSaysSo(Masters masters, String removed) throws Exception {
        RaftMember member = masters.member(removed);
        Await.until(
                "it knows that it was removed",
                () -> member.problem()
                        .filter(text -> text.contains("was removed from its group"))
                        .isPresent());
        assertThat(member.problem())
                .hasValueSatisfying(problem -> assertThat(problem)
                        .contains("member " + removed)
                        .contains(THREE.stream()
                                .filter(id -> !id.equals(removed))
                                .map(id -> "%s at %s".formatted(id, masters.address(id)))
                                .toList()));
        // A removed leader may answer until the lease of its last term has ended: the others cannot have elected one
        // before.
        Await.until(
                "it refuses to answer, and says why",
                () -> member.refusal()
                        .filter(why -> String.valueOf(why.getMessage()).contains("was removed from its group"))
                        .isPresent());
        // The client knows only the removed member, which sends it to the group.
        try (GrpcBdts client = masters.client(List.of(removed), Duration.ofSeconds(60))) {
            assertThat(client.open(masters.mount()).stat(new FilePath("/d"))).isPresent();
        }
    }

    @Test
    void aMemberThatWasRemovedSaysSoAndWhereItsGroupIs() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE)) {
            try (GrpcBdts client = masters.client()) {
                assertThat(client.open(masters.mount())
                                .mkdir(new FilePath("/d"), new DirectoryAttributes("u", "g", 0755), false))
                        .isEqualTo(Outcome.DONE);
            }
            String removed = masters.leader();
            for (String each : THREE) {
                masters.awaitKnown(removed, each);
            }
            remove(masters, removed);
            assertSaysSo(masters, removed);
            masters.stop(removed);
            Masters.Running unused = masters.start(removed, THREE);
            assertSaysSo(masters, removed);
        }
    }

    @Test
    void aMemberThatIsOnlyAloneWasNotRemoved() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE)) {
            String left = masters.leader();
            String other =
                    THREE.stream().filter(id -> !id.equals(left)).findFirst().orElseThrow();
            THREE.stream().filter(id -> !id.equals(left) && !id.equals(other)).forEach(masters::stop);
            masters.stop(other);
            RaftMember member = masters.member(left);
            Await.until(
                    "it reports that no master leads", () -> member.problem().isPresent());
            assertThat(member.problem())
                    .hasValueSatisfying(problem -> assertThat(problem).contains("no master leads the group"));
        }
    }
}
