// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.JsonFormat;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** A collector that keeps the received spans in memory, as OpenTelemetry's messages. */
final class SpanCollector implements AutoCloseable {
    private static final Pattern ID = Pattern.compile("(\"(?:traceId|spanId|parentSpanId)\":)\"([0-9a-f]+)\"");

    private final HttpServer server;
    private final List<ExportTraceServiceRequest> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger requests = new AtomicInteger();

    private SpanCollector(HttpServer server) {
        this.server = server;
    }

    static SpanCollector start() throws IOException {
        SpanCollector collector =
                new SpanCollector(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        collector.server.createContext("/v1/traces", collector::take);
        collector.server.start();
        return collector;
    }

    private void take(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        String json = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        // JSON of the protocol has ids in hexadecimal digits, where Protocol Buffers have bytes in base 64.
        String base64 = ID.matcher(json)
                .replaceAll(id -> "%s\"%s\""
                        .formatted(
                                id.group(1),
                                Base64.getEncoder()
                                        .encodeToString(HexFormat.of().parseHex(id.group(2)))));
        ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
        JsonFormat.parser().merge(base64, request);
        received.add(request.build());
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    int requests() {
        return requests.get();
    }

    /** A span and the service that sent it. */
    record Seen(String service, Span span) {
        private String name() {
            return service + ":" + span.getName();
        }
    }

    /** Returns all spans, by their ids. */
    private Map<ByteString, Seen> spans() {
        Map<ByteString, Seen> spans = new HashMap<>();
        for (ExportTraceServiceRequest request : received) {
            for (ResourceSpans process : request.getResourceSpansList()) {
                String service =
                        process.getResource().getAttributes(0).getValue().getStringValue();
                for (ScopeSpans scope : process.getScopeSpansList()) {
                    scope.getSpansList().forEach(span -> spans.put(span.getSpanId(), new Seen(service, span)));
                }
            }
        }
        return spans;
    }

    /** Returns each span with its parents, the outermost first: {@code client:create > client:close}. */
    List<String> paths() {
        Map<ByteString, Seen> spans = spans();
        List<String> paths = new ArrayList<>();
        for (Seen seen : spans.values()) {
            StringBuilder path = new StringBuilder(seen.name());
            Optional<Seen> parent = parent(spans, seen);
            while (parent.isPresent()) {
                path.insert(0, parent.get().name() + " > ");
                parent = parent(spans, parent.get());
            }
            paths.add(path.toString());
        }
        return paths;
    }

    private static Optional<Seen> parent(Map<ByteString, Seen> spans, Seen of) {
        return Optional.ofNullable(spans.get(of.span().getParentSpanId()))
                .filter(parent -> parent.span().getTraceId().equals(of.span().getTraceId()));
    }

    /** Returns the names of the spans that spans of this name are linked to. */
    List<String> linked(String name) {
        Map<ByteString, Seen> spans = spans();
        return spans.values().stream()
                .filter(seen -> seen.name().equals(name))
                .flatMap(seen -> seen.span().getLinksList().stream())
                .map(link -> Optional.ofNullable(spans.get(link.getSpanId()))
                        .map(Seen::name)
                        .orElse("nothing"))
                .toList();
    }

    /** Returns the attributes of all spans. */
    List<String> attributes() {
        return spans().values().stream()
                .flatMap(seen -> seen.span().getAttributesList().stream())
                .map(each -> each.getKey() + "=" + each.getValue().getStringValue())
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
