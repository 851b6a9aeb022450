// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.packing.registry.access.Access;
import io.packing.registry.cache.CacheListener;
import io.packing.registry.cache.LayerCacheOptions;
import io.packing.registry.dedup.DedupCase;
import io.packing.registry.oci.Digest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RegistryMetricsTest {
    @TempDir
    private Path home;

    private static Set<String> names(String text, String pattern) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    @Test
    void theMetricsThatAreDocumentedAreThoseThatThereAre() throws Exception {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        LayerCacheOptions cache =
                new LayerCacheOptions(home.resolve("cache"), 1 << 20, LayerCacheOptions.Users.ADDRESS);
        try (TestMount mount = TestMount.start(home);
                RegistryServer server = RegistryServer.start(
                        TestRegistries.config("/registry", true).withCache(Optional.of(cache)),
                        mount.files(),
                        Access.OPEN,
                        meters)) {
            RegistryClient client = new RegistryClient(server.uri());
            byte[] blob = new byte[10_000];
            client.push("a", blob);
            client.pull("a", RegistryClient.digest(blob));
            server.awaitPushed();
            RegistryMetrics metrics = new RegistryMetrics(meters);
            metrics.filled(CacheListener.Reason.PULL);
            metrics.failed();
            metrics.skipped();
            metrics.wrongBytes();
            metrics.examined(DedupCase.TAR);
            metrics.notExamined("full");
            metrics.grown(ImageTrees.Result.MADE);
            metrics.notTranslated("full");
            Set<String> served = names(meters.scrape(), "^# TYPE (packing_registry_[a-z_]+?)(?:_max)? ");
            String documented = Files.readString(Path.of("../../docs/metrics.md"));
            assertThat(served).isEqualTo(names(documented, "`(packing_registry_[a-z_]+)`"));
        }
    }

    @Test
    void requestsBytesAndWherePulledBlobsCameFromAreCounted() throws Exception {
        PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (TestMount mount = TestMount.start(home);
                RegistryServer server = RegistryServer.start(
                        TestRegistries.config("/registry", true), mount.files(), Access.OPEN, meters)) {
            RegistryClient client = new RegistryClient(server.uri());
            byte[] layer = new TestTar().file("a", new byte[5_000]).bytes();
            byte[] other = new byte[7_000];
            client.push("a", layer);
            client.push("a", other);
            server.awaitPushed();
            Digest digest = RegistryClient.digest(layer);
            assertThat(client.pull("a", digest).body()).isEqualTo(layer);
            assertThat(client.pull("a", RegistryClient.digest(other)).body()).isEqualTo(other);
            client.get("/v2/a/blobs/" + digest, "Range", "bytes=0-99");
            // A request is counted after its client has the answer.
            while (gets(meters) < 3) {
                Thread.onSpinWait();
            }
            assertThat(meters.counter("packing.registry.bytes", "direction", "received")
                            .count())
                    .isEqualTo(layer.length + other.length);
            assertThat(meters.counter("packing.registry.bytes", "direction", "sent")
                            .count())
                    .isGreaterThanOrEqualTo(layer.length + other.length + 100);
            assertThat(pulls(meters, "restored")).isOne();
            assertThat(pulls(meters, "intact")).isOne();
        }
    }

    private static long gets(PrometheusMeterRegistry meters) {
        return Optional.ofNullable(meters.find("packing.registry.request")
                        .tags("endpoint", "blob", "method", "GET")
                        .timer())
                .map(timer -> timer.count())
                .orElse(0L);
    }

    private static long pulls(PrometheusMeterRegistry meters, String source) {
        return Optional.ofNullable(meters.find("packing.registry.pull")
                        .tags("source", source)
                        .timer())
                .orElseThrow()
                .count();
    }
}
