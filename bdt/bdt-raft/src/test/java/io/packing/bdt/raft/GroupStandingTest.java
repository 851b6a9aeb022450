// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.MasterGroup.GroupStanding;
import io.packing.process.Await;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test of the standing that members report to operators. */
@Timeout(120)
class GroupStandingTest {
    private static final List<String> THREE = List.of("a", "b", "c");

    @TempDir
    private Path root;

    /** Waits until a leader reports a number of silent members; the leader may change at any time. */
    private static GroupStanding awaitLeader(Masters masters, List<String> running, int silent) throws Exception {
        List<GroupStanding> found = new ArrayList<>();
        Await.until("a leader hears nothing of %d members".formatted(silent), () -> {
            running.stream()
                    .map(id -> masters.member(id).standing())
                    .filter(now -> now.leads() && now.silent() == silent)
                    .forEach(found::add);
            return !found.isEmpty();
        });
        return found.get(0);
    }

    @Test
    void theLeaderCountsMembersThatItDoesNotHearOf() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE)) {
            GroupStanding healthy = awaitLeader(masters, THREE, 0);
            assertThat(healthy.term()).isPositive();
            assertThat(healthy.members()).isEqualTo(3);
            masters.stop("c");
            assertThat(awaitLeader(masters, List.of("a", "b"), 1).members()).isEqualTo(3);
            Masters.Running unused = masters.start("c", THREE);
            assertThat(awaitLeader(masters, THREE, 0).members()).isEqualTo(3);
        }
    }

    @Test
    void whatIsMeasuredOfAGroupIsDocumented() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE)) {
            GroupStanding unused = awaitLeader(masters, THREE, 0);
            HttpResponse<String> metrics = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(masters.metrics("a")).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(names(metrics.body()))
                    .isNotEmpty()
                    .isEqualTo(names(Files.readString(Path.of("../../docs/metrics.md"))));
            assertThat(metrics.body()).contains("bdt_group_members 3.0");
        }
    }

    private static Set<String> names(String text) {
        return Pattern.compile("\\bbdt_group_[a-z_]+")
                .matcher(text)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
    }

    @Test
    void aLeaderThatStopsHandsTheGroupOver() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE)) {
            String leader = masters.leader();
            long before = masters.member(leader).standing().term();
            masters.stop(leader);
            // An election without the handover would begin a lease later.
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
            Await.until("a leads no more", () -> !masters.member("a").standing().leads());
            assertThat(masters.member("a").standing().silent()).isZero();
        }
    }
}
