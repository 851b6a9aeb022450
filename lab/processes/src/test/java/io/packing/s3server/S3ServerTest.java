// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.process.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class S3ServerTest {
    private final HttpClient client = HttpClient.newHttpClient();

    private HttpResponse<String> send(URI server, String method, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                .method(method, HttpRequest.BodyPublishers.ofString(method.equals("PUT") ? "body" : ""))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void aboveTheLimitItSaysSlowDownAndCountsIt(@TempDir Path directory) throws Exception {
        try (S3Server server =
                S3Server.start(S3ServerOptions.of(directory, "bucket").withPutLimitPerSecond(1))) {
            int admitted = 0;
            HttpResponse<String> refused = send(server.endpoint(), "PUT", "/bucket/a/b");
            // On a busy machine a second may pass between two requests, and the limit admits the next one, too.
            while (refused.statusCode() != 503) {
                // The request has no signature, so the protocol refuses an admitted one with 403 or 404.
                assertThat(refused.statusCode()).isBetween(400, 404);
                admitted++;
                refused = send(server.endpoint(), "PUT", "/bucket/a/c");
            }
            assertThat(admitted).isPositive();
            assertThat(refused.body()).contains("<Code>SlowDown</Code>");
            assertThat(send(server.endpoint(), "GET", "/bucket/d/e").statusCode())
                    .isBetween(400, 404);
            S3ServerMetrics metrics = server.metrics();
            assertThat(metrics.prefix("a").put()).isEqualTo(admitted);
            assertThat(metrics.prefix("a").throttled()).isEqualTo(1);
            assertThat(metrics.prefix("d").get()).isEqualTo(1);
            assertThat(metrics.seconds().stream()
                            .mapToLong(S3ServerMetrics.Second::put)
                            .sum())
                    .isEqualTo(admitted);
        }
    }

    @Test
    void processPrintsItsEndpointAndServesItsMetrics(@TempDir Path directory) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        S3ServerMain.class.getName(),
                        "--directory",
                        directory.toString(),
                        "--access-log",
                        directory.resolve("log").toString(),
                        "--bucket",
                        "bucket")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            String line = out.readLine();
            assertThat(line).startsWith("endpoint=http://127.0.0.1:");
            URI endpoint = URI.create(line.substring("endpoint=".length()));
            send(endpoint, "GET", "/bucket?list-type=2&prefix=packed%2Fx");
            JsonNode metrics = new ObjectMapper()
                    .readTree(send(endpoint, "GET", S3Server.METRICS_PATH).body());
            assertThat(metrics.at("/prefixes/packed/list").asInt()).isEqualTo(1);
            // A request is written down at its end, which may be after its answer.
            Await.until(
                    "a line of the request",
                    () -> Files.exists(directory.resolve("log"))
                            && Files.readString(directory.resolve("log")).contains(" REST.GET.BUCKET - "));
        } finally {
            process.destroy();
            process.waitFor();
        }
    }

    @Test
    void argumentsAreChecked() {
        assertThat(S3ServerMain.parse(List.of("--directory", "d", "--put-limit", "300", "--put-latency-millis", "20")))
                .isEqualTo(S3ServerOptions.of(Path.of("d"))
                        .withPutLimitPerSecond(300)
                        .withPutLatency(Duration.ofMillis(20)));
        for (List<String> bad :
                List.of(List.<String>of(), List.of("--directory"), List.of("--dir", "x"), List.of("--port", "x"))) {
            assertThatIllegalArgumentException().isThrownBy(() -> S3ServerMain.parse(bad));
        }
    }

    @Test
    void operationsAreReadOffTheRequestLine() throws IOException {
        assertThat(S3Operation.of("PUT", "/b/packed/x", null))
                .isEqualTo(new S3Operation(S3Operation.Kind.PUT, "packed"));
        assertThat(S3Operation.of("POST", "/b/p/x", "uploads")).isEqualTo(new S3Operation(S3Operation.Kind.PUT, "p"));
        assertThat(S3Operation.of("POST", "/b", "delete")).isEqualTo(new S3Operation(S3Operation.Kind.DELETE, ""));
        assertThat(S3Operation.of("GET", "/b/", "prefix=a%20b%2Fc"))
                .isEqualTo(new S3Operation(S3Operation.Kind.LIST, "a b"));
        assertThat(S3Operation.of("HEAD", "/b", null)).isEqualTo(new S3Operation(S3Operation.Kind.HEAD, ""));
        assertThat(S3Operation.of("GET", "/b/%zz/x", null)).isEqualTo(new S3Operation(S3Operation.Kind.GET, ""));
    }
}
