// SPDX-License-Identifier: Apache-2.0
package io.packing.spans;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OtlpSenderTest {
    private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();

    private Spans spans(String address) {
        return SpanExports.open(
                new SpanOptions(Optional.of(URI.create(address)), 1, false), "packing-worker", warnings::add);
    }

    private static HttpServer collector(int status, BlockingQueue<String> bodies) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            bodies.add(exchange.getRequestURI().getPath()
                    + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static String address(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Test
    void spansThatWaitAreSentWhenTheProcessEnds() throws Exception {
        BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
        HttpServer server = collector(200, bodies);
        try (Spans spans = spans(address(server))) {
            spans.enter("open").close();
            spans.enter("flush").close();
        } finally {
            server.stop(0);
        }
        String all = String.join("\n", bodies);
        assertThat(all).startsWith("/v1/traces {\"resourceSpans\"").contains("\"name\":\"open\"", "\"name\":\"flush\"");
        assertThat(RecordedSpansTest.read(bodies.take().substring("/v1/traces ".length()))
                        .getResourceSpansCount())
                .isEqualTo(1);
        assertThat(warnings).isEmpty();
    }

    @Test
    void aCollectorThatRefusesOrIsGoneLosesSpansAndIsToldOfOnceAMinute() throws Exception {
        BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
        HttpServer server = collector(503, bodies);
        Spans spans = spans(address(server) + "/custom");
        spans.enter("open").close();
        assertThat(bodies.take()).startsWith("/custom ");
        assertThat(warnings.take()).contains("it answers 503");
        server.stop(0);
        spans.enter("open").close();
        spans.close();
        assertThat(spans.dropped()).isEqualTo(2);
        assertThat(spans.sent()).isZero();
        assertThat(warnings).isEmpty();
    }

    @Test
    void aCollectorThatNeverAnswersDelaysNobodyAndFillsNoMemory() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Spans spans = spans("http://127.0.0.1:" + silent.getLocalPort());
            int many = 10 * OtlpSender.MOST_WAITING;
            for (int i = 0; i < many; i++) {
                spans.enter("open").close();
            }
            assertThat(spans.dropped()).isGreaterThan(many - 2L * OtlpSender.MOST_WAITING);
            spans.close();
            spans.enter("open").close();
            assertThat(spans.sent()).isZero();
        }
    }

    @Test
    void aSlowCollectorGetsManySpansInOneRequest() throws Exception {
        BlockingQueue<String> bodies = new LinkedBlockingQueue<>();
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch slow = new CountDownLatch(1);
        HttpServer server = collector(200, bodies);
        server.createContext("/slow", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            arrived.countDown();
            try {
                slow.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        try (Spans spans = spans(address(server) + "/slow")) {
            spans.enter("first").close();
            arrived.await();
            for (int i = 0; i < 1_000; i++) {
                spans.enter("open").close();
            }
            slow.countDown();
        } finally {
            server.stop(0);
        }
        List<Integer> sizes = bodies.stream()
                .map(body -> body.split("\"name\":\"open\"", -1).length - 1)
                .toList();
        assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1_000);
        assertThat(sizes.size()).isLessThanOrEqualTo(5);
    }
}
