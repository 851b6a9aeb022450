// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.IssuedToken;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.master.Federation;
import io.packing.blob.FilePath;
import io.packing.certificates.TestAuthority;
import io.packing.process.Await;
import io.packing.transport.Security;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test of tokens that a group of three masters issued at a group of one, and the other way round, while leaders
 * change.
 */
@NullUnmarked
@Timeout(240)
class TokensOfThreeMastersTest {
    private static final List<String> THREE = List.of("a", "b", "c");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private Path root;

    private TestAuthority authority;
    private Map<String, String> ofMasters;
    private Security admin;
    private final Map<String, String> groups = new LinkedHashMap<>();

    @BeforeEach
    void certify() throws Exception {
        authority = TestAuthority.create(root.resolve("tls"), "authority", Instant.now());
        ofMasters =
                authority.options("bdt", authority.issue("master", "CN=master, O=packing-daemon, O=packing-master"));
        admin = Masters.security(authority.options("bdt", authority.issue("admin", "CN=admin, O=packing-superuser")));
    }

    private BdtMaster one(int port, String store) throws IOException {
        Map<String, String> options = new HashMap<>(ofMasters);
        options.put("bdt.data.dir", root.resolve("one").toString());
        options.put("bdt.port", Integer.toString(port));
        options.put("bdt.stores", store);
        options.put("bdt.mounts.group", "one");
        options.put(
                "bdt.mounts.groups",
                groups.entrySet().stream()
                        .map(group -> group.getKey() + "=" + group.getValue().replace(',', '|'))
                        .collect(Collectors.joining(",")));
        return BdtMaster.start(BdtMasterOptions.from(options)).serve();
    }

    /** Returns a client's security with this token only. */
    private Security showing(IssuedToken token) {
        return admin.onlyShowing(() -> Optional.of(token.text()));
    }

    /** Waits until a group accepts a token, or refuses it. */
    private void await(boolean taken, IssuedToken token, String group, Map<String, String> mount)
            throws IOException, InterruptedException {
        try (GrpcBdts client = GrpcBdts.connect(groups.get(group), PATIENCE, showing(token))) {
            Await.until("group %s takes it: %b".formatted(group, taken), () -> {
                try {
                    return client.open(mount).stat(FilePath.ROOT).isPresent() == taken;
                } catch (IOException e) {
                    assertThat(e.getMessage()).containsAnyOf("known", "cancelled");
                    return !taken;
                }
            });
        }
    }

    @Test
    void aTokenGoesOnAtTheOtherGroupWhileLeadersChange() throws Exception {
        try (Masters masters = new Masters(root)) {
            String unused = masters.peers(THREE);
            int port = Masters.freePort();
            groups.put("one", "127.0.0.1:" + port);
            groups.put("two", THREE.stream().map(masters::address).collect(Collectors.joining(",")));
            Masters started = masters.securedBy(ofMasters)
                    .spreadOver(new Federation("two", groups))
                    .startAll(THREE);
            Map<String, String> mount = started.mount();
            try (BdtMaster one = one(port, mount.getOrDefault("packing.store", ""));
                    GrpcBdts ofOne = GrpcBdts.connect(groups.get("one"), PATIENCE, admin);
                    GrpcBdts ofTwo = GrpcBdts.connect(groups.get("two"), PATIENCE, admin)) {
                assertThat(one.port()).isEqualTo(port);
                assertThat(ofOne.open(mount).stat(FilePath.ROOT)).isPresent();
                IssuedToken token = ofTwo.tokens().issue("alice", "");
                await(true, token, "one", mount);
                started.stop(started.leader());
                IssuedToken later = ofTwo.tokens().issue("alice", "");
                await(true, later, "one", mount);
                await(true, token, "one", mount);
                // A cancellation at the other group reaches the group that issued the token.
                ofOne.tokens().cancel(token.text());
                await(false, token, "one", mount);
                await(true, later, "one", mount);
                IssuedToken fromOne = ofOne.tokens().issue("alice", "");
                await(true, fromOne, "two", mount);
            }
        }
    }
}
