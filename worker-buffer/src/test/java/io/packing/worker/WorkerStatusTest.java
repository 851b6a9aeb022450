// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.packing.bdt.WorkerSession;
import io.packing.status.StatusServer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class WorkerStatusTest {
    @TempDir
    private Path temp;

    private static HttpResponse<String> get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String scrape(int port) throws Exception {
        return get(port, "/metrics").body();
    }

    @Test
    void everyDocumentedMetricIsServed() throws Exception {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (MountRig rig = new MountRig(temp, Clock.systemUTC());
                StatusServer server = StatusServer.start("127.0.0.1", 0, registry::scrape, Optional::empty)) {
            rig.metrics.add(registry);
            MountRig.write(rig.mounts.get(0), "/a", new byte[1_000], MountRig.NEW);
            assertThat(MountRig.read(rig.mounts.get(1), "/a")).hasSize(1_000);
            rig.mounts.get(0).flush();
            assertThat(MountRig.read(rig.mounts.get(1), "/a")).hasSize(1_000);
            String served = scrape(server.port());
            assertThat(rig.mounts.get(0).bdt().workers())
                    .filteredOn(worker -> worker.worker().equals("w0"))
                    .singleElement()
                    .satisfies(worker -> {
                        assertThat(worker.activity().pushedFiles()).isEqualTo(1);
                        assertThat(worker.activity().pushedBytes()).isGreaterThan(1_000);
                        assertThat(worker.activity().requests().puts()).isEqualTo(1);
                        assertThat(worker.activity().sinceMillis()).isPositive();
                    });
            Path docs = Path.of("../docs/metrics.md");
            List<String> documented = Pattern.compile("`(packing_[a-z_]+)`")
                    .matcher(Files.readString(docs))
                    .results()
                    .map((MatchResult found) -> found.group(1))
                    .filter(name -> !name.startsWith("packing_registry_"))
                    .toList();
            assertThat(documented).hasSizeGreaterThan(10).allMatch(served::contains);
            assertThat(served)
                    .contains("packing_sealed_segments_total{cause=\"order\"} 1.0")
                    .contains("packing_pushed_blobs_total 1.0")
                    .containsPattern("packing_read_pages_total\\{cached=\"false\",mount=\"[^\"]+\"} 1.0")
                    .containsPattern(
                            "packing_store_requests_total\\{kind=\"put\",mount=\"[^\"]+\",outcome=\"ok\"} 1.0");
        }
    }

    @Test
    void aWorkerServesAtThePortOfItsMount() throws Exception {
        int port = freePort();
        try (MountRig rig = new MountRig(temp, Clock.systemUTC(), "packing.metrics.port", Integer.toString(port))) {
            MountRig.write(rig.mounts.get(0), "/a", new byte[1_000], MountRig.NEW);
            assertThat(scrape(port)).containsPattern("packing_buffer_files\\{mount=\"[^\"]+\"} 1.0");
            assertThat(get(port, "/healthz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aWorkerWhoseIdAnotherProcessHasTakenIsNotHealthyAndSaysForWhichMount() throws Exception {
        int port = freePort();
        try (MountRig rig = new MountRig(temp, Clock.systemUTC(), "packing.metrics.port", Integer.toString(port));
                WorkerSession other = rig.takeOver("w0")) {
            assertThat(other.sessionEpoch()).isPositive();
            assertThatThrownBy(() -> MountRig.write(rig.mounts.get(0), "/a", new byte[10], MountRig.NEW))
                    .isInstanceOf(IOException.class);
            HttpResponse<String> health = get(port, "/healthz");
            while (health.statusCode() == 200) {
                // The refused write sends a heartbeat, by which the worker learns that it is fenced.
                health = get(port, "/healthz");
            }
            assertThat(health.statusCode()).isEqualTo(503);
            // The worker goes on by itself when the other process is gone.
            assertThat(get(port, "/livez").statusCode()).isEqualTo(200);
            assertThat(health.body())
                    .contains("another process")
                    .contains(rig.options().store().location().text());
            assertThat(scrape(port)).containsPattern("packing_fenced\\{mount=\"[^\"]+\"} 1.0");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            return free.getLocalPort();
        }
    }
}
