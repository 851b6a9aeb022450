// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.bdt.Bdt;
import io.packing.bdt.BdtUser;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.DeniedException;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.read.Peers;
import io.packing.worker.rpc.PeerClient;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The rights of a daemon's certificate: its own worker id and claims for users, but no user's rights. */
@Timeout(120)
final class WorkerNamesTest {
    private static final FileAttributes ATTRIBUTES = new FileAttributes(5, 1, "root", "root", 0600);

    @TempDir
    private Path home;

    private static MountOptions daemon(SecuredRig rig, String name) throws IOException {
        return rig.certified(name, "CN=%s, O=packing-daemon".formatted(name));
    }

    @Test
    void aWorkerIsWhomItsCertificateNames() throws IOException {
        try (SecuredRig rig = new SecuredRig(home, Map.of("bdt.workers.by.name", "true"));
                GrpcBdts bdts = rig.bdts(daemon(rig, "worker-2").security())) {
            Bdt bdt = bdts.open(daemon(rig, "worker-2").raw());
            assertThatExceptionOfType(DeniedException.class)
                    .isThrownBy(() -> bdt.register(new WorkerRegistration("worker-3", "127.0.0.1:1")))
                    .withMessageContaining("worker-3")
                    .withMessageContaining("CN=worker-2");
            // It takes no existing id over either, with any epoch.
            assertThatExceptionOfType(DeniedException.class)
                    .isThrownBy(() -> bdt.register(new WorkerRegistration("worker-1", "127.0.0.1:1")));
            assertThat(bdt.register(new WorkerRegistration("worker-2", "127.0.0.1:1"))
                            .newFileId())
                    .isPositive();
            try (GrpcBdts root = rig.bdts(
                    rig.certified("root", "CN=root, O=packing-superuser").security())) {
                Bdt all = root.open(rig.nobody().raw());
                assertThat(all.register(new WorkerRegistration("worker-4", "127.0.0.1:1"))
                                .newFileId())
                        .isPositive();
            }
        }
    }

    @Test
    void aWorkerActsForUsersInClaimsOnly() throws IOException {
        try (SecuredRig rig = new SecuredRig(home);
                Users users = new Users(rig);
                GrpcBdts bdts = rig.bdts(daemon(rig, "worker-2").security())) {
            FilePath directory = new FilePath("/alices");
            assertThat(users.bdt("alice").mkdir(directory, new DirectoryAttributes("", "", 0700), false))
                    .isEqualTo(Outcome.DONE);
            Bdt bdt = bdts.open(daemon(rig, "worker-2").raw());
            assertThatExceptionOfType(DeniedException.class).isThrownBy(() -> bdt.list(directory, "", 1));
            assertThatExceptionOfType(DeniedException.class).isThrownBy(() -> bdt.delete(directory.child("f"), true));
            WorkerSession session = bdt.register(new WorkerRegistration("worker-2", "127.0.0.1:1"));
            Claim own = new Claim(session.newFileId(), directory.child("own"), ATTRIBUTES, false, false);
            assertThat(session.claim(own).join()).isInstanceOf(ClaimResult.Refused.class);
            Claim alices = new Claim(session.newFileId(), directory.child("f"), ATTRIBUTES, false, false);
            assertThat(session.claim(alices.by(Optional.of(new BdtUser("alice", false))))
                            .join())
                    .isInstanceOf(ClaimResult.Granted.class);
            assertThat(users.bdt("alice")
                            .stat(directory.child("f"))
                            .orElseThrow()
                            .attributes()
                            .owner())
                    .isEqualTo("alice");
        }
    }

    @Test
    void bytesInABufferAreReadByThemWhoMayReadTheFile() throws Exception {
        try (SecuredRig rig = new SecuredRig(home);
                Users users = new Users(rig);
                PeerClient carol =
                        new PeerClient(rig.certified("carol", "CN=carol").security());
                PeerClient alice =
                        new PeerClient(rig.certified("alice", "CN=alice").security())) {
            FilePath path = new FilePath("/private");
            CreateOptions options = new CreateOptions("", "", 0600, false, false);
            FileVersion version = users.mount("alice")
                    .put(path, ByteBuffer.wrap(new byte[] {1, 2, 3}), options)
                    .get();
            String mount = rig.nobody().mountName();
            Peers carols = carol.reading(Duration.ofSeconds(20));
            assertThatExceptionOfType(DeniedException.class)
                    .isThrownBy(() -> carols.read(rig.workerAddress(), mount, path, version, 0, 3))
                    .withMessageContaining("user=carol");
            assertThat(carols.read(rig.workerAddress(), mount, FilePath.ROOT, version, 0, 3))
                    .as("by a path that has not the version, as of one that is not there")
                    .isEmpty();
            assertThat(alice.reading(Duration.ofSeconds(20)).read(rig.workerAddress(), mount, path, version, 0, 3))
                    .contains(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            // Only daemons ask for the rights of other users.
            assertThatExceptionOfType(DeniedException.class)
                    .isThrownBy(() -> users.bdt("carol").readable(path, version, "alice", 0));
        }
    }
}
