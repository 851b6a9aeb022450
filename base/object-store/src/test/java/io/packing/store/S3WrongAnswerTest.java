// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.packing.seed.Seed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers to another request than the reader's, as from a cache or a proxy before the store. */
@NullUnmarked
class S3WrongAnswerTest {
    private static final int SIZE = 100_000;

    /** The faults of an answer. */
    enum Wrong {
        WHOLE_OBJECT_AS_200,
        WHOLE_OBJECT_AS_206,
        NEIGHBOURING_RANGE,
        HALF_OF_THE_RANGE,
        NOT_MODIFIED
    }

    private final byte[] object = new byte[SIZE];
    private final AtomicInteger wrongAnswers = new AtomicInteger();
    private volatile Wrong wrong = Wrong.WHOLE_OBJECT_AS_200;
    private final List<String> caching = Collections.synchronizedList(new ArrayList<>());
    private final List<InetSocketAddress> connections = Collections.synchronizedList(new ArrayList<>());
    private HttpServer server;
    private ObjectStore store;

    @BeforeEach
    void start() throws IOException {
        Seed.random().nextBytes(object);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        store = ObjectStores.open(
                S3Fixtures.options(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()), "s3://bucket/p", Map.of()),
                new RequestMeter());
    }

    @AfterEach
    void stop() {
        store.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String asked = exchange.getRequestHeaders().getFirst("Range");
            if (asked == null) {
                exchange.sendResponseHeaders(200, -1);
                return;
            }
            caching.add(String.valueOf(exchange.getRequestHeaders().getFirst("Cache-Control")));
            connections.add(exchange.getRemoteAddress());
            String[] bounds = asked.substring("bytes=".length()).split("-", -1);
            int from = bounds[0].isEmpty() ? SIZE - Integer.parseInt(bounds[1]) : Integer.parseInt(bounds[0]);
            int to = bounds[0].isEmpty() ? SIZE : Integer.parseInt(bounds[1]) + 1;
            if (wrongAnswers.getAndUpdate(left -> Math.max(0, left - 1)) == 0) {
                send(exchange, 206, from, to);
                return;
            }
            switch (wrong) {
                case WHOLE_OBJECT_AS_200 -> send(exchange, 200, 0, SIZE);
                case WHOLE_OBJECT_AS_206 -> send(exchange, 206, 0, SIZE);
                case NEIGHBOURING_RANGE -> send(exchange, 206, from - 7, to - 7);
                case HALF_OF_THE_RANGE -> send(exchange, 206, from, (from + to) / 2);
                case NOT_MODIFIED -> exchange.sendResponseHeaders(304, -1);
            }
        }
    }

    private void send(HttpExchange exchange, int status, int from, int to) throws IOException {
        if (status == 206) {
            exchange.getResponseHeaders().add("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, SIZE));
        }
        exchange.sendResponseHeaders(status, to - from);
        exchange.getResponseBody().write(object, from, to - from);
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerToSomethingElseIsNotTakenButAskedForAgain(Wrong kind) throws IOException {
        wrong = kind;
        wrongAnswers.set(2);
        assertThat(store.get("k", 1_000, 5_000)).isEqualTo(ByteBuffer.wrap(object, 1_000, 5_000));
        wrongAnswers.set(1);
        assertThat(store.getTail("k", 500)).isEqualTo(ByteBuffer.wrap(object, SIZE - 500, 500));
        assertThat(wrongAnswers).hasValue(0);
    }

    @ParameterizedTest
    @EnumSource
    void aStoreThatNeverAnswersWhatIsAskedIsNamedAfterAFewAnswers(Wrong kind) {
        wrong = kind;
        wrongAnswers.set(100);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> store.get("k", 1_000, 5_000))
                .withMessageContaining("1000+5000")
                .withMessageContaining("proxies");
        assertThat(100 - wrongAnswers.get()).isEqualTo(RequestedRange.WRONG_ANSWERS);
    }

    @Test
    void aRangePastTheEndIsRefusedAtOnce() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(
                        () -> new RequestedRange("get it", 99_000, 5_000).bytes("bytes 99000-99999/100000", 1_000, 1))
                .withMessageContaining("ends before the range does");
    }

    @Test
    void theLastBytesOfAnEmptyObjectAreNoneInMiniosWordsToo() throws IOException {
        String answer = "bytes 0--1/0";
        assertThat(RequestedRange.tail("k", 10).bytes(answer, 0, 1)).isZero();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> RequestedRange.of("k", 0, 5).bytes(answer, 0, 1))
                .withMessageContaining("ends before the range does");
    }

    @Test
    void whatIsReadAgainGoesPastCachesAndEachTimeOverAnotherConnection() throws IOException {
        for (int i = 0; i < 3; i++) {
            ByteBuffer again = store.getAgain("k", 10, 20);
            assertThat(again).isEqualTo(ByteBuffer.wrap(Arrays.copyOfRange(object, 10, 30)));
        }
        assertThat(caching).containsOnly("no-cache");
        assertThat(connections).doesNotHaveDuplicates().hasSize(3);
    }
}
