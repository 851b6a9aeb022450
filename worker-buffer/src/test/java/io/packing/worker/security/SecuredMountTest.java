// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.IssuedToken;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.client.TokenClient;
import io.packing.blob.FilePath;
import io.packing.certificates.TestAuthority;
import io.packing.transport.Security;
import io.packing.transport.token.KeyRing;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files and tokens of users of a master and a worker with TLS. */
@Timeout(180)
final class SecuredMountTest {
    private static final CreateOptions NEW = new CreateOptions("o", "g", 0644, true, false);
    private static final byte[] BYTES = "what alice wrote".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path home;

    private SecuredRig rig;

    @BeforeEach
    void start() throws IOException {
        rig = new SecuredRig(home);
    }

    @AfterEach
    void stop() throws IOException {
        rig.close();
    }

    private static void write(RemotePackingFileSystem mount, String path) throws IOException {
        try (PackingOutput output = mount.create(new FilePath(path), NEW)) {
            output.write(BYTES);
        }
    }

    private static byte[] read(RemotePackingFileSystem mount, String path) throws IOException {
        try (PackingInput input = mount.open(new FilePath(path))) {
            ByteBuffer bytes = ByteBuffer.allocate(BYTES.length);
            while (bytes.hasRemaining()) {
                int read = input.read(bytes.position(), bytes);
                assertThat(read).isPositive();
            }
            return bytes.array();
        }
    }

    private void works(MountOptions who, String path) throws IOException {
        try (GrpcBdts bdts = rig.bdts(who.security());
                RemotePackingFileSystem mount = SecuredRig.open(bdts, who)) {
            write(mount, path);
            assertThat(read(mount, path)).isEqualTo(BYTES);
        }
    }

    private IssuedToken token(String user, String renewer) throws IOException {
        try (GrpcBdts bdts = rig.bdts(rig.certified(user, "CN=" + user).security())) {
            return bdts.tokens().issue("", renewer);
        }
    }

    @Test
    void filesAreWrittenAndReadByCertificateAndByToken() throws IOException {
        works(rig.certified("alice", "CN=alice"), "/by-certificate");
        works(rig.showing(token("alice", "").text()), "/by-token");
        rig.restartMaster();
        works(rig.showing(token("alice", "").text()), "/after-a-restart");
    }

    @Test
    void onlyASuperuserFlushesOthers() throws IOException {
        works(rig.certified("alice", "CN=alice"), "/buffered");
        MountOptions alice = rig.certified("alice", "CN=alice");
        try (GrpcBdts bdts = rig.bdts(alice.security());
                RemotePackingFileSystem mount = SecuredRig.open(bdts, alice)) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(mount::flush)
                    .withMessageContaining("O=packing-superuser");
        }
        MountOptions root = rig.certified("root", "CN=root, O=packing-superuser");
        try (GrpcBdts bdts = rig.bdts(root.security());
                RemotePackingFileSystem mount = SecuredRig.open(bdts, root)) {
            mount.flush();
            assertThat(mount.bdt().statistics().bufferedFiles()).isZero();
            assertThat(read(mount, "/buffered")).isEqualTo(BYTES);
        }
    }

    @Test
    void tokensOutliveTheMastersProcess() throws IOException {
        MountOptions before = rig.showing(token("alice", "").text());
        rig.restartMaster();
        works(before, "/with-a-token-of-before");
    }

    @Test
    void aCancelledTokenIsRefusedByMasterAndWorker() throws Exception {
        IssuedToken token = token("alice", "yarn");
        MountOptions alice = rig.showing(token.text());
        try (GrpcBdts bdts = rig.bdts(alice.security());
                RemotePackingFileSystem mount = SecuredRig.open(bdts, alice);
                GrpcBdts yarn = rig.bdts(rig.certified("yarn", "CN=yarn").security());
                GrpcBdts daemon =
                        rig.bdts(rig.certified("d", "CN=d, O=packing-daemon").security())) {
            write(mount, "/before");
            assertThat(yarn.tokens().renew(token.text())).isAfterOrEqualTo(token.renewedUntil());
            yarn.tokens().cancel(token.text());
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> mount.bdt().stat(new FilePath("/before")))
                    .withMessageContaining("cancelled");
            KeyRing ring = daemon.tokenKeys();
            assertThat(ring.refused()).hasSize(1);
            // The worker learns of it with its next question.
            workerRefuses(mount);
        }
    }

    private static void workerRefuses(RemotePackingFileSystem mount) throws InterruptedException {
        for (int i = 0; ; i++) {
            try {
                mount.put(new FilePath("/after-%d".formatted(i)), ByteBuffer.wrap(BYTES), NEW)
                        .get();
            } catch (ExecutionException e) {
                return;
            }
        }
    }

    @Test
    void onlyTheUserAndTheRenewerRenewAndCancel() throws IOException {
        IssuedToken token = token("alice", "yarn");
        try (GrpcBdts mallory = rig.bdts(rig.certified("mallory", "CN=mallory").security());
                GrpcBdts root = rig.bdts(
                        rig.certified("root", "CN=root, O=packing-superuser").security())) {
            TokenClient tokens = mallory.tokens();
            refused(() -> tokens.renew(token.text()), "neither the user nor the renewer");
            refused(() -> tokens.cancel(token.text()), "neither the user nor the renewer");
            refused(() -> tokens.issue("alice", ""), "may not have a token of alice");
            assertThatIllegalArgumentException().isThrownBy(() -> tokens.renew("no token"));
            IssuedToken forAlice = root.tokens().issue("alice", "");
            works(rig.showing(forAlice.text()), "/for-alice");
            root.tokens().cancel(token.text());
        }
    }

    private interface Call {
        void run() throws IOException;
    }

    private static void refused(Call call, String why) {
        assertThatExceptionOfType(IOException.class).isThrownBy(call::run).withMessageContaining(why);
    }

    /** A retry would otherwise last as long as a master may be away. */
    @Test
    void aClientThatIsNotBelievedEndsAtOnceAndSaysWhy() throws IOException {
        TestAuthority other = TestAuthority.create(home.resolve("other"), "other", rig.now);
        Security selfMade = rig.certified(other.issue("alice", "CN=alice")).security();
        try (GrpcBdts bdts = rig.bdts(selfMade)) {
            refused(() -> bdts.open(rig.nobody().raw()), "no trusted connection");
        }
    }
}
