// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Answers of status 200 that are none of a store, as the page of a proxy, or not whole. A recovery would take a short listing for a
 * store without the other blobs, and a worker the page for the store's word that it has the bytes.
 */
@NullUnmarked
class S3UnknownAnswerTest {
    private static final String PAGE = """
            <?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name><Prefix>p/</Prefix>\
            <KeyCount>1</KeyCount><MaxKeys>10</MaxKeys><IsTruncated>false</IsTruncated><Contents><Key>p/a</Key>\
            <LastModified>2026-11-30T20:00:00.000Z</LastModified><ETag>"1"</ETag><Size>3</Size></Contents></ListBucketResult>""";

    private static final String PORTAL = "<html><body>Sign in to this network</body></html>";
    private static final int PUT_SINGLE_MAX = 5 << 20;

    private final RequestMeter meter = new RequestMeter();
    /** Answers that come before whole ones. */
    private final Deque<String> broken = new ArrayDeque<>();

    /** Only a proxy answers. */
    private volatile boolean isSilent;

    private HttpServer server;
    private ObjectStore store;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
        store = ObjectStores.open(
                S3Fixtures.options(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
                        "s3://bucket/p",
                        Map.of(
                                "packing.s3.put.single.max",
                                Integer.toString(PUT_SINGLE_MAX),
                                "packing.s3.retry.timeout",
                                "1s")),
                meter);
    }

    @AfterEach
    void stop() {
        store.close();
        server.stop(0);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] unused = exchange.getRequestBody().readAllBytes();
            String whole = isSilent ? PORTAL : PAGE;
            String page = broken.isEmpty() ? whole : broken.remove();
            byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private synchronized void say(String page) {
        broken.add(page);
    }

    private void listsAfterOneFailure() throws IOException {
        assertThat(store.list("", "", 10)).extracting(ObjectInfo::key).containsExactly("a");
        assertThat(meter.snapshot().failed()).isEqualTo(1);
    }

    @Test
    void anAnswerWithoutAByteIsAskedForAgain() throws IOException {
        say("");
        listsAfterOneFailure();
    }

    @ParameterizedTest
    @ValueSource(strings = {"<Name>", "<Contents>", "</Key>", "</Contents>", "</ListBucketResult>"})
    void aListingThatEndsTooEarlyIsAskedForAgain(String end) throws IOException {
        say(PAGE.substring(0, PAGE.indexOf(end)));
        listsAfterOneFailure();
    }

    @Test
    void anotherDocumentIsAskedForAgain() throws IOException {
        say(PORTAL);
        listsAfterOneFailure();
    }

    @ParameterizedTest
    @ValueSource(ints = {10, PUT_SINGLE_MAX + 1})
    void aPutThatOnlyAProxyAnsweredIsNotKept(int length) {
        isSilent = true;
        assertThatIOException()
                .isThrownBy(() -> store.put("k", ByteBuffer.allocate(length), PutCondition.IF_ABSENT))
                .withMessageContaining("the answer is none of S3")
                .withMessageContaining("packing.s3.endpoint");
        assertThat(meter.snapshot().failed()).isPositive();
    }

    @Test
    void aDeletionThatOnlyAProxyAnsweredIsNotDone() {
        isSilent = true;
        assertThatIOException()
                .isThrownBy(() -> store.delete(List.of("a", "b")))
                .withMessageContaining("the answer names none of the objects")
                .withMessageContaining("packing.s3.endpoint");
        assertThat(meter.snapshot().failed()).isPositive();
    }
}
