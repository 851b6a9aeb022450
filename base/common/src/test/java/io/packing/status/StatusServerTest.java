// SPDX-License-Identifier: Apache-2.0
package io.packing.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.status.page.DaemonReport;
import io.packing.status.page.StatusPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class StatusServerTest {
    private static final String HOST = "127.0.0.1";

    private final AtomicReference<Optional<String>> problem = new AtomicReference<>(Optional.empty());

    private StatusServer start() throws IOException {
        return StatusServer.start(HOST, 0, () -> "files 3\n", problem::get);
    }

    private static HttpResponse<String> get(StatusServer server, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://" + HOST + ":" + server.port() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void metricsAreServedAsTheyAre() throws Exception {
        try (StatusServer server = start()) {
            HttpResponse<String> answer = get(server, "/metrics");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("files 3\n");
            assertThat(answer.headers().firstValue("Content-Type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        }
    }

    /** Load balancers ask with HEAD. */
    @Test
    void headHasNoBodyAndLogsNothing() throws Exception {
        List<String> logged = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord said) {
                logged.add(said.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger http = Logger.getLogger("com.sun.net.httpserver");
        http.addHandler(handler);
        try (StatusServer server = start()) {
            URI health = URI.create("http://" + HOST + ":" + server.port() + "/healthz");
            HttpRequest head = HttpRequest.newBuilder(health)
                    .method("HEAD", HttpRequest.BodyPublishers.noBody())
                    .build();
            HttpResponse<String> answer = HttpClient.newHttpClient().send(head, HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEmpty();
        } finally {
            http.removeHandler(handler);
        }
        assertThat(logged).isEmpty();
    }

    @Test
    void healthSaysWhatIsWrongForAsLongAsItIs() throws Exception {
        try (StatusServer server = start()) {
            assertThat(get(server, "/healthz").body()).isEqualTo("ok\n");
            problem.set(Optional.of("the disk is full"));
            HttpResponse<String> sick = get(server, "/healthz");
            assertThat(sick.statusCode()).isEqualTo(503);
            assertThat(sick.body()).isEqualTo("the disk is full\n");
            problem.set(Optional.empty());
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void whatOnlyAnOperatorMendsIsNoReasonForARestart() throws Exception {
        AtomicReference<Optional<String>> ended = new AtomicReference<>(Optional.empty());
        StatusServer.Health health = new StatusServer.Health(problem::get, ended::get, List::of);
        try (StatusServer server = StatusServer.start(HOST, 0, () -> "", health, Optional.empty())) {
            problem.set(Optional.of("20 files are lost"));
            for (String path : List.of("/healthz", "/readyz")) {
                assertThat(get(server, path).statusCode()).isEqualTo(503);
                assertThat(get(server, path).body()).isEqualTo("20 files are lost\n");
            }
            assertThat(get(server, "/livez").statusCode()).isEqualTo(200);
            assertThat(get(server, "/livez").body()).isEqualTo("ok\n");
            ended.set(Optional.of("a thread ended; restart the daemon"));
            assertThat(get(server, "/livez").statusCode()).isEqualTo(503);
            assertThat(get(server, "/livez").body()).contains("a thread ended");
        }
    }

    @Test
    void aDaemonThatCannotSayHowItIsIsNotHealthy() throws Exception {
        try (StatusServer server = StatusServer.start(
                HOST,
                0,
                () -> {
                    throw new StackOverflowError("planted");
                },
                () -> {
                    throw new OutOfMemoryError("planted");
                })) {
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(503);
            assertThat(get(server, "/healthz").body()).contains("OutOfMemoryError");
            assertThat(get(server, "/metrics").statusCode()).isEqualTo(500);
        }
    }

    @Test
    void aDaemonThatCannotSayWhatElseFailsIsNotHealthyEither() throws Exception {
        try (StatusServer server = StatusServer.start(HOST, 0, () -> "", () -> Optional.of("the disk is full"), () -> {
            throw new StackOverflowError("planted");
        })) {
            HttpResponse<String> answer = get(server, "/healthz");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).startsWith("the disk is full\n").contains("StackOverflowError");
        }
        try (StatusServer server = StatusServer.start(HOST, 0, () -> "", problem::get, () -> {
            throw new StackOverflowError("planted");
        })) {
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(503);
        }
    }

    @Test
    void aClientThatNeverEndsItsRequestKeepsNobodyFromAnswers() throws Exception {
        try (StatusServer server = start();
                Socket slow = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            slow.getOutputStream().write("GET /heal".getBytes(StandardCharsets.US_ASCII));
            slow.getOutputStream().flush();
            assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    @Timeout(120)
    void clientsThatNeverEndTheirRequestsDoNotHoldTheServer() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (StatusServer server = start()) {
            for (int i = 0; i <= StatusServer.MOST_THREADS; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
                slow.add(socket);
                socket.getOutputStream().write("GET /healthz HTTP/1.1\r\nHost: ".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(get(server, "/healthz").body()).isEqualTo("ok\n");
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void thePageIsReadOnlyAndOfThisServerAlone() throws Exception {
        DaemonReport report = new DaemonReport(
                "worker",
                "w1",
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of());
        StatusPage page = new StatusPage(() -> report, Clock.systemUTC(), System::nanoTime);
        try (StatusServer server =
                StatusServer.start(HOST, 0, () -> "files 3\n", problem::get, List::of, Optional.of(page))) {
            HttpResponse<String> answer = get(server, "/");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Content-Security-Policy"))
                    .hasValueSatisfying(policy -> assertThat(policy).contains("default-src 'none'"));
            assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
            assertThat(answer.headers().firstValue("Access-Control-Allow-Origin"))
                    .isEmpty();
            assertThat(get(server, "/api/status").body()).contains("\"name\":\"w1\"");
            assertThat(get(server, "/metrics").body()).isEqualTo("files 3\n");
            assertThat(get(server, "/none").statusCode()).isEqualTo(404);
            URI api = URI.create("http://" + HOST + ":" + server.port() + "/api/status");
            HttpRequest post = HttpRequest.newBuilder(api)
                    .POST(HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(post, HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(405);
        }
    }
}
