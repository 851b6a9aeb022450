// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.certificates.IssuedCertificate;
import io.packing.certificates.TestAuthority;
import io.packing.s3gateway.objects.UserMount;
import io.packing.store.ObjectStores;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class RemoteUserMountsTest {
    @TempDir
    private Path home;

    private RemoteUserMounts open(
            TestGateway gateway, Map<String, String> more, RemotePackingFileSystem.StoreOpener stores)
            throws IOException {
        Map<String, String> options = new HashMap<>(
                Map.of("packing.store", home.resolve("store").toUri().toString(), "packing.master.timeout", "2s"));
        options.putAll(more);
        return RemoteUserMounts.open(
                gateway.masters(),
                MountOptions.from(options),
                stores,
                Writers.preferHost("127.0.0.1"),
                Clock.systemUTC());
    }

    /** A store that is slow for one user's first request must not be slow for all. */
    @Test
    void theOpeningOfOneUsersMountHoldsNoOtherUserUp() throws Exception {
        TestAuthority authority = TestAuthority.create(
                home.resolve("certificates"), "authority", Clock.systemUTC().instant());
        IssuedCertificate daemon = authority.issue("daemon", "CN=node-1, O=packing-daemon");
        IssuedCertificate superuser = authority.issue("gateway", "CN=gateway, O=packing-superuser");
        Map<String, String> ofGateway = authority.options("packing", superuser);
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (TestGateway gateway = TestGateway.start(
                        home, authority.options("bdt", daemon), authority.options("packing", daemon), ofGateway);
                RemoteUserMounts mounts = open(gateway, ofGateway, options -> {
                    if (Thread.currentThread().getName().equals("bob")) {
                        arrived.countDown();
                        await(go);
                    }
                    return ObjectStores.open(options);
                })) {
            UserMount alices = mounts.of("alice");
            CompletableFuture<UserMount> bobs = new CompletableFuture<>();
            new Thread(
                            () -> {
                                try {
                                    bobs.complete(mounts.of("bob"));
                                } catch (IOException e) {
                                    bobs.completeExceptionally(e);
                                }
                            },
                            "bob")
                    .start();
            arrived.await();
            assertThat(mounts.of("alice")).isSameAs(alices);
            assertThat(bobs).isNotDone();
            go.countDown();
            assertThat(bobs.get()).isSameAs(mounts.of("bob"));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aFailedOpeningIsTriedAgainByTheNextRequest() throws IOException {
        TestAuthority authority = TestAuthority.create(
                home.resolve("certificates"), "authority", Clock.systemUTC().instant());
        IssuedCertificate daemon = authority.issue("daemon", "CN=node-1, O=packing-daemon");
        IssuedCertificate superuser = authority.issue("gateway", "CN=gateway, O=packing-superuser");
        Map<String, String> ofGateway = authority.options("packing", superuser);
        boolean[] fails = {true};
        try (TestGateway gateway = TestGateway.start(
                        home, authority.options("bdt", daemon), authority.options("packing", daemon), ofGateway);
                RemoteUserMounts mounts = open(gateway, ofGateway, options -> {
                    if (fails[0]) {
                        throw new UncheckedIOException(new IOException("no descriptor is left"));
                    }
                    return ObjectStores.open(options);
                })) {
            assertThatThrownBy(() -> mounts.of("alice")).hasMessageContaining("no descriptor is left");
            fails[0] = false;
            assertThat(mounts.of("alice").user()).isEqualTo("alice");
        }
    }

    @Test
    void aGatewayWithoutItsMasterIsNotHealthy() throws IOException {
        TestGateway gateway = TestGateway.start(home);
        try (RemoteUserMounts mounts = open(gateway, Map.of(), ObjectStores::open)) {
            assertThat(mounts.problem()).isEmpty();
            gateway.close();
            assertThat(mounts.problem().orElseThrow()).contains("the mount does not answer");
        }
    }
}
