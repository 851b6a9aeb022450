// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Listings of a bucket in which another program has keys with characters that XML cannot have. The server writes them as S3 does. */
@NullUnmarked
class S3OddKeysTest {
    private static final List<String> KEYS =
            List.of("p/a\u0001b", "p/a+b c", "p/line\nend\r", "p/per%41cent", "p/ä/\uFFFF", "p/z&<>\"'");

    private HttpServer server;
    private ObjectStore store;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", S3OddKeysTest::answer);
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

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String query = String.valueOf(exchange.getRequestURI().getRawQuery());
            if (!query.contains("list-type=2")) {
                exchange.sendResponseHeaders(200, -1);
                return;
            }
            boolean encodes = query.contains("encoding-type=url");
            String contents = KEYS.stream()
                    .map(key -> encodes
                            ? URLEncoder.encode(key, StandardCharsets.UTF_8)
                            : key.replace("&", "&amp;").replace("<", "&lt;"))
                    .map(key ->
                            "<Contents><Key>%s</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>\"e\"</ETag><Size>3</Size></Contents>"
                                    .formatted(key))
                    .collect(Collectors.joining());
            byte[] body =
                    "<?xml version=\"1.0\" encoding=\"UTF-8\"?><ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>bucket</Name>%s<IsTruncated>false</IsTruncated>%s</ListBucketResult>"
                            .formatted(encodes ? "<EncodingType>url</EncodingType>" : "", contents)
                            .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Test
    void keysOfOtherProgramsAreListedAsTheyAre() throws IOException {
        assertThat(store.list("", "", 1_000))
                .extracting(ObjectInfo::key)
                .containsExactlyElementsOf(
                        KEYS.stream().map(key -> key.substring(2)).toList());
    }
}
