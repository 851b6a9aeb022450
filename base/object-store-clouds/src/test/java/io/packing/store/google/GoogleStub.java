// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.CRC32C;

/**
 * A bucket that answers as a test says: it has no objects, takes resumable uploads, and may break them off. It stands in for what
 * fake-gcs-server does not do.
 */
final class GoogleStub implements AutoCloseable {
    private static final int KEPT_OF_A_CUT_PART = 256 << 10;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private int cuts;
    private int wrongBytes;
    private final Deque<String> said = new ArrayDeque<>();
    private int broken;
    private int refusals;
    private int refusal;
    private String reason = "";
    private int copySteps;
    private long copiedInAStep;
    private long copyLength;
    private long copied;

    GoogleStub() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** From now on it keeps a part of the next parts of uploads only, and hangs up. */
    synchronized void cutParts(int count) {
        cuts = count;
    }

    /** From now on it has one other byte than were sent. */
    synchronized void keepOtherBytes() {
        wrongBytes = 1;
    }

    /** From now on it answers so many requests so. */
    synchronized void refuse(int count, int status, String why) {
        refusals = count;
        refusal = status;
        reason = why;
    }

    /** Answers so many requests with the status alone. */
    synchronized void breakOff(int count) {
        broken = count;
    }

    /** Answers one more request with these bytes. */
    synchronized void say(String body) {
        said.add(body);
    }

    /** From now on a copy takes so many requests, each of which copies so many bytes, and has this length at its end. */
    synchronized void copyInSteps(int steps, long bytes, long length) {
        copySteps = steps;
        copiedInAStep = bytes;
        copyLength = length;
    }

    synchronized byte[] kept() {
        return kept.toByteArray();
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().toString();
            calls.add(exchange.getRequestMethod() + " " + path);
            if (broken > 0) {
                broken--;
                send(exchange, 200, "");
            } else if (!said.isEmpty()) {
                send(exchange, 200, said.remove());
            } else if (refusals > 0) {
                refusals--;
                send(exchange, refusal, "{\"error\": {\"code\": %d, \"message\": \"%s\"}}".formatted(refusal, reason));
            } else if (path.contains("/rewriteTo/")) {
                copyStep(exchange);
            } else if (path.contains("session=1")) {
                part(exchange, body);
            } else if (path.contains("uploadType=resumable")) {
                exchange.getResponseHeaders().add("Location", endpoint() + "/upload?session=1");
                send(exchange, 200, "");
            } else if (path.contains("uploadType=multipart")) {
                send(exchange, 200, "{\"generation\": \"7\", \"crc32c\": \"AAAAAA==\"}");
            } else if (exchange.getRequestMethod().equals("DELETE")) {
                send(exchange, 204, "");
            } else {
                send(exchange, 200, "{}");
            }
        }
    }

    private void copyStep(HttpExchange exchange) throws IOException {
        copySteps--;
        copied += copiedInAStep;
        String more = copySteps > 0 ? ", \"rewriteToken\": \"step%d\"".formatted(copySteps) : "";
        send(
                exchange,
                200,
                "{\"done\": %b, \"objectSize\": \"%d\", \"totalBytesRewritten\": \"%d\"%s}"
                        .formatted(copySteps <= 0, copyLength, copied, more));
    }

    private void part(HttpExchange exchange, byte[] body) throws IOException {
        String range = exchange.getRequestHeaders().getFirst("Content-Range");
        calls.add(range);
        long total = Long.parseLong(range.substring(range.indexOf('/') + 1));
        if (cuts > 0 && body.length > 0) {
            cuts--;
            kept.write(body, 0, Math.min(KEPT_OF_A_CUT_PART, body.length));
            // The connection ends without an answer.
            return;
        }
        kept.write(body);
        if (kept.size() < total) {
            exchange.getResponseHeaders().add("Range", "bytes=0-" + (kept.size() - 1));
            send(exchange, 308, "");
            return;
        }
        CRC32C crc = new CRC32C();
        crc.update(kept());
        crc.update(new byte[wrongBytes]);
        byte[] four = {
            (byte) (crc.getValue() >> 24),
            (byte) (crc.getValue() >> 16),
            (byte) (crc.getValue() >> 8),
            (byte) crc.getValue()
        };
        send(
                exchange,
                200,
                "{\"generation\": \"7\", \"crc32c\": \"%s\"}"
                        .formatted(Base64.getEncoder().encodeToString(four)));
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
