// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.registry.access.Access;
import io.packing.registry.cache.LayerCacheOptions;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A registry with a cache of layers. */
@Timeout(120)
class PrefetchTest {
    private static final byte[] CONFIG = "{}".getBytes(StandardCharsets.UTF_8);
    private static final byte[] LAYER =
            new TestTar().file("a", new byte[50_000]).end();
    private static final byte[] UPPER =
            new TestTar().file("b", new byte[20_000]).end();

    @TempDir
    private Path home;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private RegistryServer start(TestMount mount) throws IOException {
        return RegistryServer.start(
                TestRegistries.config("/registry", true)
                        .withCache(Optional.of(new LayerCacheOptions(
                                home.resolve("cache"), 1 << 20, LayerCacheOptions.Users.ADDRESS))),
                mount.files(),
                Access.OPEN,
                meters);
    }

    private double count(String name, String... tags) {
        return Optional.ofNullable(meters.find(name).tags(tags).counter())
                .map(counter -> counter.count())
                .orElse(0.0);
    }

    private long pulls(String source) {
        return Optional.ofNullable(meters.find("packing.registry.pull")
                        .tags("source", source)
                        .timer())
                .map(timer -> timer.count())
                .orElse(0L);
    }

    /** Waits for counted pulls: a request is counted after its client has the answer. */
    private void awaitPulls(String source, long wanted) {
        while (pulls(source) < wanted) {
            Thread.onSpinWait();
        }
        assertThat(pulls(source)).isEqualTo(wanted);
    }

    private void awaitPrefetched(int layers) {
        while (count("packing.registry.cache.filled", "reason", "prefetch") < layers) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aPulledManifestBringsItsLayersToTheCacheBeforeTheyArePulled() throws Exception {
        try (TestMount mount = TestMount.start(home);
                RegistryServer server = start(mount)) {
            RegistryClient client = new RegistryClient(server.uri());
            byte[] manifest = RegistryClient.manifest(CONFIG, LAYER, UPPER);
            for (byte[] blob : new byte[][] {CONFIG, LAYER, UPPER}) {
                client.push("a", blob);
            }
            client.tag("a", "v1", manifest);
            server.awaitPushed();
            assertThat(client.ask("HEAD", "/v2/a/manifests/v1").statusCode()).isEqualTo(200);
            assertThat(client.get("/v2/a/manifests/v1").body()).isEqualTo(manifest);
            awaitPrefetched(3);
            assertThat(client.pull("a", RegistryClient.digest(LAYER)).body()).isEqualTo(LAYER);
            assertThat(client.pull("a", RegistryClient.digest(UPPER)).body()).isEqualTo(UPPER);
            awaitPulls("cached", 2);
            assertThat(pulls("restored")).isZero();
            Path cached = home.resolve("cache")
                    .resolve("sha256-" + RegistryClient.digest(LAYER).hex());
            byte[] damaged = LAYER.clone();
            damaged[30_000] ^= 1;
            Files.write(cached, damaged);
            assertThat(cut(client))
                    .as("a file that was damaged is not given out whole")
                    .isTrue();
            assertThat(client.pull("a", RegistryClient.digest(LAYER)).body()).isEqualTo(LAYER);
            assertThat(count("packing.registry.wrong.bytes")).isOne();
            awaitPulls("restored", 1);
        }
    }

    /** Returns whether the connection is cut before the end of the layer. */
    private static boolean cut(RegistryClient client) throws InterruptedException {
        try {
            HttpResponse<byte[]> answer = client.pull("a", RegistryClient.digest(LAYER));
            return answer.statusCode() != 200;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void layersThatAUserPulledBeforeAreNotFetchedForHimAgain() throws Exception {
        try (TestMount mount = TestMount.start(home)) {
            byte[] lower = RegistryClient.manifest(CONFIG, LAYER);
            byte[] both = RegistryClient.manifest(CONFIG, LAYER, UPPER);
            try (RegistryServer server = start(mount)) {
                RegistryClient client = new RegistryClient(server.uri());
                for (byte[] blob : new byte[][] {CONFIG, LAYER, UPPER}) {
                    client.push("a", blob);
                }
                client.tag("a", "lower", lower);
                client.tag("a", "both", both);
                server.awaitPushed();
                client.pull("a", RegistryClient.digest(LAYER));
                client.pull("a", RegistryClient.digest(CONFIG));
                while (count("packing.registry.cache.filled", "reason", "pull") < 2) {
                    Thread.onSpinWait();
                }
                // Layers in the cache would not be fetched anyway.
                Path layer = home.resolve("cache")
                        .resolve("sha256-" + RegistryClient.digest(LAYER).hex());
                Files.write(layer, new byte[1]);
                assertThat(cut(client)).isTrue();
                assertThat(layer).doesNotExist();
                client.get("/v2/a/manifests/both");
                awaitPrefetched(1);
                assertThat(layer).as("pulled before by the same user").doesNotExist();
                assertThat(client.pull("a", RegistryClient.digest(UPPER)).body())
                        .isEqualTo(UPPER);
                awaitPulls("cached", 1);
            }
        }
    }
}
