package io.packing.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Serves {@code /metrics} in Prometheus' text form, and {@code /healthz}: 200 and {@code ok}, or 503 and what is wrong. A
 * client that sends its request slowly holds one of a few threads, not the server.
 */
public final class StatusServer implements AutoCloseable {
    private static final int THREADS = 8;
    private static final int BACKLOG = 16;

    private final HttpServer server;
    private final ExecutorService threads;

    private StatusServer(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /** The same for a daemon that has nothing to note. */
    public static StatusServer start(
            String host, int port, Supplier<String> metrics, Supplier<Optional<String>> problem) throws IOException {
        return start(host, port, metrics, problem, List::of);
    }

    /**
     * Starts serving.
     *
     * @param port 0: any free one
     * @param metrics asked for each scrape
     * @param problem why the daemon does not do its work, for operators; asked each time
     * @param notes what fails although the daemon does its work, a line each; told after the first line, whatever that is
     */
    public static StatusServer start(
            String host,
            int port,
            Supplier<String> metrics,
            Supplier<Optional<String>> problem,
            Supplier<List<String>> notes)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(host, port), BACKLOG);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, work -> {
            Thread thread = new Thread(work, "status-server");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/metrics", exchange -> answer(exchange, 200, metrics.get()));
        server.createContext("/healthz", exchange -> {
            Optional<String> wrong = problem.get();
            StringBuilder body = new StringBuilder(wrong.orElse("ok")).append('\n');
            notes.get().forEach(note -> body.append(note).append('\n'));
            answer(exchange, wrong.isEmpty() ? 200 : 503, body.toString());
        });
        server.start();
        return new StatusServer(server, threads);
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
        exchange.sendResponseHeaders(status, bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
