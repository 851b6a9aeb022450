// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.IssuedToken;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.certificates.TestAuthority;
import io.packing.process.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test that a token outlives the master that issued it: a job goes on after a change of the leader. */
@NullUnmarked
@Timeout(180)
class GroupTokensTest {
    private static final List<String> THREE = List.of("a", "b", "c");

    @TempDir
    private Path root;

    private Map<String, String> ofMasters;
    private Map<String, String> ofClients;

    @BeforeEach
    void certify() throws Exception {
        TestAuthority authority = TestAuthority.create(root.resolve("tls"), "authority", Instant.now());
        ofMasters =
                authority.options("bdt", authority.issue("master", "CN=master, O=packing-daemon, O=packing-master"));
        ofClients = authority.options("bdt", authority.issue("admin", "CN=admin, O=packing-superuser"));
    }

    private GrpcBdts client(Masters masters) {
        String all = THREE.stream().map(masters::address).collect(Collectors.joining(","));
        return GrpcBdts.connect(all, Duration.ofSeconds(60), Masters.security(ofClients));
    }

    @Test
    void theNextLeaderKnowsTheTokensOfTheOneBefore() throws Exception {
        try (Masters masters = new Masters(root).securedBy(ofMasters).startAll(THREE);
                GrpcBdts client = client(masters)) {
            IssuedToken first = client.tokens().issue("alice", "bob");
            IssuedToken second = client.tokens().issue("carol", "bob");
            String leader = masters.leader();
            masters.stop(leader);
            assertThat(client.tokens().renew(first.text())).isAfter(Instant.now());
            client.tokens().cancel(second.text());
            Masters.Running unused = masters.start(leader, THREE);
            masters.stop(masters.leader());
            assertThat(client.tokens().renew(first.text())).isAfter(Instant.now());
            assertThatThrownBy(() -> client.tokens().renew(second.text())).hasMessageContaining("cancelled");
            assertThat(client.tokenKeys().refused()).hasSize(1);
        }
    }

    @Test
    void tokensOutliveARestartOfAll() throws Exception {
        IssuedToken token;
        try (Masters masters = new Masters(root).securedBy(ofMasters).startAll(THREE)) {
            try (GrpcBdts client = client(masters)) {
                token = client.tokens().issue("alice", "bob");
            }
            masters.stopAll();
            for (String id : THREE) {
                Masters.Running unused = masters.start(id, THREE);
            }
            try (GrpcBdts client = client(masters)) {
                assertThat(client.tokens().renew(token.text())).isAfter(Instant.now());
            }
        }
    }

    /**
     * The leader's log has purged the entries with the tokens: the member gets them with the tables of another member.
     */
    @Test
    void aMemberThatWasAwayForTooLongGetsTheTokensByACheckpoint() throws Exception {
        try (Masters masters = new Masters(root).saving(10).securedBy(ofMasters).startAll(THREE);
                GrpcBdts client = client(masters)) {
            masters.stop("c");
            IssuedToken token = client.tokens().issue("alice", "bob");
            Bdt table = client.open(masters.mount());
            for (int i = 0; i < 400; i++) {
                assertThat(table.mkdir(new FilePath("/d" + i), new DirectoryAttributes("", "", 0755), false))
                        .isEqualTo(Outcome.DONE);
            }
            Masters.Running back = masters.start("c", THREE);
            long version = masters.member("a").texts().version();
            Await.until("c has the tokens", () -> back.member().texts().version() == version);
            for (String name : List.of("keys", "tokens")) {
                assertThat(back.member().texts().read(name))
                        .as(name)
                        .isPresent()
                        .isEqualTo(masters.member("a").texts().read(name));
            }
            // One of the two has to lead without the member that knew the token from the start.
            masters.stop("a");
            assertThat(client.tokens().renew(token.text())).isAfter(Instant.now());
        }
    }

    @Test
    void keysAreForMembersOnly() throws Exception {
        try (Masters masters = new Masters(root).securedBy(ofMasters).startAll(THREE);
                GrpcBdts client = client(masters)) {
            IssuedToken unused = client.tokens().issue("alice", "bob");
            for (String id : THREE) {
                Path directory = masters.data(id).resolve("raft");
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                        .isEqualTo("rwx------");
                try (Stream<Path> alone = Files.list(masters.data(id))) {
                    assertThat(alone.map(file -> file.getFileName().toString())).doesNotContain("security");
                }
            }
        }
    }
}
