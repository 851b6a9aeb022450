package io.packing.bdt.master;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.packing.bdt.DirectoryStatistics;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Serves {@code /metrics} in Prometheus' text form and {@code /healthz}: 200 while every mount takes mutations. */
final class MetricsServer implements AutoCloseable {
    private final HttpServer server;
    private final BdtMaster master;

    private MetricsServer(HttpServer server, BdtMaster master) {
        this.server = server;
        this.master = master;
    }

    static MetricsServer start(String host, int port, BdtMaster master) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(host, port), 16);
        MetricsServer server = new MetricsServer(http, master);
        http.createContext("/metrics", exchange -> answer(exchange, 200, server.metrics()));
        http.createContext("/healthz", server::health);
        http.start();
        return server;
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void health(HttpExchange exchange) throws IOException {
        String stopped = master.mounts().stream()
                .filter(mount -> !mount.table().writer().isTaking())
                .map(Mount::id)
                .collect(java.util.stream.Collectors.joining(", "));
        boolean healthy = stopped.isEmpty();
        answer(exchange, healthy ? 200 : 503, healthy ? "ok\n" : "mounts that take no mutations: " + stopped + "\n");
    }

    private String metrics() {
        StringBuilder text = new StringBuilder();
        for (Mount mount : master.mounts()) {
            DirectoryStatistics s = mount.table().statistics();
            gauge(text, "files", mount, s.files());
            gauge(text, "directories", mount, s.directories());
            gauge(text, "buffered_files", mount, s.bufferedFiles());
            gauge(text, "packed_bytes", mount, s.packedBytes());
            gauge(text, "blobs", mount, s.blobs());
            gauge(text, "blob_bytes", mount, s.blobBytes());
            gauge(text, "dead_bytes", mount, s.deadBytes());
            gauge(text, "log_position", mount, mount.table().position());
            gauge(text, "live_workers", mount, mount.table().workers().size());
        }
        Runtime runtime = Runtime.getRuntime();
        return text.append("bdt_heap_used_bytes ")
                .append(runtime.totalMemory() - runtime.freeMemory())
                .append('\n')
                .toString();
    }

    private static void gauge(StringBuilder text, String name, Mount mount, long value) {
        text.append("bdt_")
                .append(name)
                .append("{mount=\"")
                .append(mount.id())
                .append("\"} ")
                .append(value)
                .append('\n');
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }
}
