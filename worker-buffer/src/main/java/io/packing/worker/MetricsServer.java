package io.packing.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** Serves {@code /metrics} in Prometheus' text form, and {@code /healthz}. */
final class MetricsServer implements AutoCloseable {
    private final HttpServer server;

    private MetricsServer(HttpServer server) {
        this.server = server;
    }

    /** Starts both; {@code fenced} names the stores of mounts whose worker id another process has taken over. */
    static MetricsServer start(String host, int port, PrometheusMeterRegistry registry, Supplier<List<String>> fenced)
            throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(host, port), 16);
        http.createContext("/metrics", exchange -> answer(exchange, 200, registry.scrape()));
        http.createContext("/healthz", exchange -> {
            String lost = String.join(", ", fenced.get());
            answer(
                    exchange,
                    lost.isEmpty() ? 200 : 503,
                    lost.isEmpty()
                            ? "ok\n"
                            : "mounts that another process serves under this worker's id: " + lost + "\n");
        });
        http.start();
        return new MetricsServer(http);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
