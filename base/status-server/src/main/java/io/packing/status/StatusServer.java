package io.packing.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
        server.createContext("/metrics", exchange -> {
            try {
                answer(exchange, 200, metrics.get());
            } catch (RuntimeException | Error e) {
                answer(exchange, 500, "the metrics could not be read: " + e + "\n");
            }
        });
        server.createContext("/healthz", exchange -> {
            List<String> lines = new ArrayList<>();
            Optional<String> wrong = problemOf(problem);
            lines.add(wrong.orElse("ok"));
            boolean noted = addNotes(notes, lines);
            answer(exchange, wrong.isEmpty() && noted ? 200 : 503, String.join("\n", lines) + "\n");
        });
        server.start();
        return new StatusServer(server, threads);
    }

    /** A daemon that cannot even say how it is is not well. */
    private static Optional<String> problemOf(Supplier<Optional<String>> problem) {
        try {
            return problem.get();
        } catch (RuntimeException | Error e) {
            return Optional.of("health could not be asked: " + e);
        }
    }

    /** Returns whether they could be asked for; if not, the lines say so. */
    private static boolean addNotes(Supplier<List<String>> notes, List<String> lines) {
        try {
            lines.addAll(notes.get());
            return true;
        } catch (RuntimeException | Error e) {
            lines.add("what else fails could not be asked: " + e);
            return false;
        }
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
