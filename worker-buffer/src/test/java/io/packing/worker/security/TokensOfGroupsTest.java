// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Bdt;
import io.packing.bdt.IssuedToken;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.TokenClient;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import io.packing.transport.Security;
import io.packing.transport.token.Token;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job with one token, and mounts of two master groups with TLS. */
@Timeout(300)
final class TokensOfGroupsTest {
    private static final CreateOptions NEW = new CreateOptions("o", "g", 0644, true, false);
    private static final byte[] BYTES = "what a task wrote".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path home;

    private SecuredGroups groups;

    @BeforeEach
    void start() throws IOException {
        groups = new SecuredGroups(home, "one", "two");
        groups.start("one");
        groups.start("two");
    }

    @AfterEach
    void stop() throws Exception {
        groups.close();
    }

    private static void works(RemotePackingFileSystem mount, String path) throws IOException {
        try (PackingOutput output = mount.create(new FilePath(path), NEW)) {
            output.write(BYTES);
        }
        try (PackingInput input = mount.open(new FilePath(path))) {
            ByteBuffer bytes = ByteBuffer.allocate(BYTES.length);
            while (bytes.hasRemaining()) {
                assertThat(input.read(bytes.position(), bytes)).isPositive();
            }
            assertThat(bytes.array()).isEqualTo(BYTES);
        }
    }

    private Bdt mountWith(IssuedToken token, String at) throws IOException {
        MountOptions who = groups.showing(token.text());
        return groups.client(at, who).open(who.raw());
    }

    /** Lets the second group own the mount. */
    private void openAtTwo() throws IOException {
        Bdt unused = groups.admin("two").open(groups.showing("").raw());
        assertThat(groups.groupOfMount("one")).contains("two");
    }

    private void isRefusedAt(String group, IssuedToken token, String why) {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> mountWith(token, group).stat(FilePath.ROOT))
                .withMessageContaining(why);
    }

    @Test
    void aTokenOfOneGroupIsGoodAtTheMasterAndTheWorkersOfAnother() throws Exception {
        openAtTwo();
        assertThat(groups.worker("worker-2", "two").bdt().workers()).hasSize(1);
        IssuedToken token = groups.token("one");
        groups.awaitHeard("two", token);
        MountOptions task = groups.showing(token.text());
        Await.until("the worker has heard of the token's key, too", () -> {
            try (GrpcBdts bdts = GrpcBdts.connect(groups.address("two"), SecuredRig.TIMEOUT, task.security());
                    RemotePackingFileSystem mount = SecuredRig.open(bdts, task)) {
                works(mount, "/by-a-task");
                return true;
            } catch (IOException e) {
                assertThat(e).hasStackTraceContaining("known");
                return false;
            }
        });
        // A client that knows only the first group is sent on, with this token.
        assertThat(mountWith(token, "one").stat(new FilePath("/by-a-task"))).isPresent();
    }

    @Test
    void aMountMovesToAnotherGroupWhileAJobWithATokenUsesIt() throws Exception {
        assertThat(groups.worker("worker-1", "one").bdt().workers()).hasSize(1);
        IssuedToken token = groups.token("one");
        groups.awaitHeard("one", token);
        MountOptions task = groups.showing(token.text());
        try (GrpcBdts bdts = GrpcBdts.connect(groups.address("one"), SecuredRig.TIMEOUT, task.security());
                RemotePackingFileSystem mount = SecuredRig.open(bdts, task)) {
            works(mount, "/before");
            MoveProgress moved = groups.move("two");
            assertThat(moved.state()).as(moved.problem()).isEqualTo(MoveProgress.State.DONE);
            assertThat(groups.groupOfMount("one")).contains("two");
            works(mount, "/after");
            assertThat(mount.bdt().stat(new FilePath("/before"))).isPresent();
            moved = groups.move("one");
            assertThat(moved.state()).as(moved.problem()).isEqualTo(MoveProgress.State.DONE);
            works(mount, "/back");
        }
    }

    @Test
    void aTokenIsRenewedAndCancelledAtTheGroupThatIssuedItWhoeverIsAsked() throws Exception {
        openAtTwo();
        IssuedToken token = groups.token("one");
        groups.awaitHeard("two", token);
        TokenClient yarn =
                groups.client("two", groups.certified("yarn", "CN=yarn")).tokens();
        TokenClient mallory =
                groups.client("two", groups.certified("mallory", "CN=mallory")).tokens();
        assertThatThrownBy(() -> mallory.renew(token.text())).hasMessageContaining("neither the user nor the renewer");
        assertThatThrownBy(() -> mallory.cancel(token.text())).hasMessageContaining("neither the user nor the renewer");
        assertThat(yarn.renew(token.text())).isAfterOrEqualTo(token.renewedUntil());
        Bdt used = mountWith(token, "two");
        assertThat(used.stat(FilePath.ROOT)).isPresent();
        yarn.cancel(token.text());
        isRefusedAt("one", token, "cancelled");
        Await.until("the other group refuses it", () -> {
            try {
                return used.stat(FilePath.ROOT).isEmpty();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("cancelled");
                return true;
            }
        });
        assertThatThrownBy(() -> yarn.renew(token.text())).hasMessageContaining("cancelled");
    }

    @Test
    void theGroupThatIssuedATokenMayDie() throws Exception {
        openAtTwo();
        IssuedToken token = groups.token("one");
        IssuedToken cancelled = groups.token("one");
        groups.awaitHeard("two", token);
        groups.client("one", groups.certified("yarn", "CN=yarn")).tokens().cancel(cancelled.text());
        Await.until("the other group refuses it", () -> {
            try {
                return mountWith(cancelled, "two").stat(FilePath.ROOT).isEmpty();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("cancelled");
                return true;
            }
        });
        groups.stop("one");
        double silent = groups.metric("two", "bdt_token_group_silent_seconds", "group=\"one\"");
        assertThat(mountWith(token, "two").stat(FilePath.ROOT)).isPresent();
        Await.until(
                "the other group counts how long it has heard nothing",
                () -> groups.metric("two", "bdt_token_group_silent_seconds", "group=\"one\"") > silent + 5);
        groups.restart("two");
        assertThat(mountWith(token, "two").stat(FilePath.ROOT)).isPresent();
        isRefusedAt("two", cancelled, "cancelled");
        // Only the issuer knows more of it.
        TokenClient yarn =
                groups.client("two", groups.certified("yarn", "CN=yarn")).tokens();
        assertThatExceptionOfType(UnavailableException.class).isThrownBy(() -> yarn.renew(token.text()));
        groups.start("one");
        assertThat(yarn.renew(token.text())).isAfterOrEqualTo(token.renewedUntil());
        assertThat(mountWith(token, "two").stat(FilePath.ROOT)).isPresent();
    }

    @Test
    void whatNobodyOfTheListHasSignedIsRefusedEverywhere() throws Exception {
        openAtTwo();
        IssuedToken real = groups.token("one");
        groups.awaitHeard("two", real);
        KeyPair own = KeyPairGenerator.getInstance(Token.ALGORITHM).generateKeyPair();
        Instant now = real.renewedUntil().minus(Duration.ofHours(1));
        String forged = Token.ofJob(Token.keyIdOf(real.text()), 7, now, real.end(), "admin", "yarn")
                .sign(own.getPrivate());
        IssuedToken shown = new IssuedToken(forged, real.end(), real.end());
        for (String group : new String[] {"one", "two"}) {
            isRefusedAt(group, shown, "the token");
            TokenClient yarn =
                    groups.client(group, groups.certified("yarn", "CN=yarn")).tokens();
            assertThatThrownBy(() -> yarn.renew(forged)).hasMessageContaining("the token");
        }
    }

    @Test
    void aTokenOfAGroupThatIsNotInTheListIsRefused() throws Exception {
        try (SecuredGroups others = new SecuredGroups(home.resolve("others"), "three")) {
            others.start("three");
            IssuedToken token = others.token("three");
            isRefusedAt("one", token, "known");
            TokenClient alice =
                    groups.client("one", groups.certified("alice", "CN=alice")).tokens();
            assertThatThrownBy(() -> alice.renew(token.text())).hasMessageContaining("known");
        }
    }

    @Test
    void onlyDaemonsAreToldKeysAndOnlyWithTls() throws Exception {
        TokenClient alice =
                groups.client("one", groups.certified("alice", "CN=alice")).tokens();
        assertThatThrownBy(alice::ownKeys).hasMessageContaining("O=packing-daemon");
        try (GrpcBdts plain = GrpcBdts.connect(groups.address("one"), Duration.ofSeconds(1), Security.NONE)) {
            assertThatThrownBy(() -> plain.tokens().ownKeys()).isInstanceOf(UnavailableException.class);
            assertThatThrownBy(() -> plain.open(groups.showing("").raw())).isInstanceOf(UnavailableException.class);
        }
    }

    /** A worker's stolen key, with its host's name in the certificate, makes no tokens. */
    @Test
    void aServerThatIsNoMasterIsNotAskedForKeys() throws Exception {
        String list = "one=%s,two=%s".formatted(groups.address("one"), groups.address("two"));
        groups.stop("one");
        groups.start("one", list, "CN=worker, O=packing-daemon");
        MountOptions daemon = groups.certified("daemon", "CN=d, O=packing-daemon, O=packing-master");
        try (GrpcBdts master = GrpcBdts.ofMasters(groups.address("one"), Duration.ofSeconds(5), daemon.security())) {
            assertThatThrownBy(() -> master.tokens().ownKeys()).hasStackTraceContaining("O=packing-master");
        }
    }
}
