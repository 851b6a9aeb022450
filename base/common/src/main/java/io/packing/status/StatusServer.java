// SPDX-License-Identifier: Apache-2.0
package io.packing.status;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.packing.status.page.StatusPage;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The HTTP server of a daemon's status. It serves metrics in Prometheus' text form at {@code /metrics}. At {@code
 * /healthz} and {@code /readyz} it answers 200 with {@code ok}, or 503 with the problem. At {@code /livez} it answers
 * 503 when only a restart of the daemon helps. At {@code /} it serves the daemon's page for operators, if the daemon
 * has one. It changes nothing. A client that sends its request slowly holds one thread for some seconds, not the
 * server.
 */
public final class StatusServer implements AutoCloseable {
    /** Each ends when it has no work. */
    static final int MOST_THREADS = 64;

    private static final long IDLE_THREAD_SECONDS = 60;
    /** Enough, since a request has some hundred bytes. */
    private static final int REQUEST_SECONDS = 5;

    private static final int ANSWER_SECONDS = 60;
    private static final int BACKLOG = 16;

    /** The page's content security policy: it loads nothing from other servers, and no other page may frame it. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    static {
        // The JDK's server reads these properties once. Without them a client could hold a thread for ever.
        setUnlessSet("sun.net.httpserver.maxReqTime", REQUEST_SECONDS);
        setUnlessSet("sun.net.httpserver.maxRspTime", ANSWER_SECONDS);
    }

    private final HttpServer server;
    private final ExecutorService threads;
    private final Optional<StatusPage> page;

    private StatusServer(HttpServer server, ExecutorService threads, Optional<StatusPage> page) {
        this.server = server;
        this.threads = threads;
        this.page = page;
    }

    private static void setUnlessSet(String property, int seconds) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, Integer.toString(seconds));
        }
    }

    private static ExecutorService threads() {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                MOST_THREADS,
                MOST_THREADS,
                IDLE_THREAD_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> {
                    Thread thread = new Thread(work, "status-server");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }

    /**
     * The health of a daemon, for operators and for probes that restart it. The server asks each supplier for each
     * answer.
     *
     * @param problem returns the reason why an operator must act
     * @param needsRestart returns the reason why only a restart helps
     * @param notes returns the failures in spite of which the daemon does its work, a line each; they follow the first
     *     line of each answer
     */
    public record Health(
            Supplier<Optional<String>> problem,
            Supplier<Optional<String>> needsRestart,
            Supplier<List<String>> notes) {}

    /** Starts a server for a daemon without notes. */
    public static StatusServer start(
            String host, int port, Supplier<String> metrics, Supplier<Optional<String>> problem) throws IOException {
        return start(host, port, metrics, problem, List::of);
    }

    /** Starts a server for a daemon without a page. */
    public static StatusServer start(
            String host,
            int port,
            Supplier<String> metrics,
            Supplier<Optional<String>> problem,
            Supplier<List<String>> notes)
            throws IOException {
        return start(host, port, metrics, problem, notes, Optional.empty());
    }

    /** Starts a server for a daemon that no restart helps. */
    public static StatusServer start(
            String host,
            int port,
            Supplier<String> metrics,
            Supplier<Optional<String>> problem,
            Supplier<List<String>> notes,
            Optional<StatusPage> page)
            throws IOException {
        return start(host, port, metrics, new Health(problem, Optional::empty, notes), page);
    }

    /**
     * Starts a server.
     *
     * @param port 0 takes any free one
     * @param metrics returns the text for each scrape
     * @param page for operators; closed with the server, also when the server cannot start
     */
    public static StatusServer start(
            String host, int port, Supplier<String> metrics, Health health, Optional<StatusPage> page)
            throws IOException {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(host, port), BACKLOG);
        } catch (IOException | RuntimeException e) {
            page.ifPresent(StatusPage::close);
            throw e;
        }
        ExecutorService threads = threads();
        server.setExecutor(threads);
        server.createContext("/metrics", exchange -> {
            try {
                answer(exchange, 200, metrics.get());
            } catch (RuntimeException | Error e) {
                answer(exchange, 500, "the metrics could not be read: " + e + "\n");
            }
        });
        HttpHandler readiness = exchange -> {
            List<String> lines = new ArrayList<>();
            Optional<String> wrong = problemOf(health.problem());
            lines.add(wrong.orElse("ok"));
            boolean noted = addNotes(health.notes(), lines);
            answer(exchange, wrong.isEmpty() && noted ? 200 : 503, String.join("\n", lines) + "\n");
        };
        server.createContext("/healthz", readiness);
        server.createContext("/readyz", readiness);
        server.createContext("/livez", exchange -> {
            Optional<String> wrong = problemOf(health.needsRestart());
            answer(exchange, wrong.isEmpty() ? 200 : 503, wrong.orElse("ok") + "\n");
        });
        page.ifPresent(shown -> server.createContext("/", exchange -> show(exchange, shown)));
        server.start();
        return new StatusServer(server, threads, page);
    }

    private static void show(HttpExchange exchange, StatusPage page) throws IOException {
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            exchange.getResponseHeaders().set("Allow", "GET, HEAD");
            answer(exchange, 405, "this server answers only GET and HEAD\n");
            return;
        }
        boolean zips = String.valueOf(exchange.getRequestHeaders().getFirst("Accept-Encoding"))
                .contains("gzip");
        Optional<StatusPage.Content> found;
        try {
            found = page.find(exchange.getRequestURI().getPath(), zips);
        } catch (RuntimeException | Error e) {
            answer(exchange, 503, e + "\n");
            return;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer(exchange, 503, "the daemon is stopping\n");
            return;
        }
        if (found.isEmpty()) {
            answer(exchange, 404, "there are /, /metrics, /healthz, /readyz and /livez\n");
            return;
        }
        send(exchange, found.get(), method.equals("HEAD"));
    }

    private static void send(HttpExchange exchange, StatusPage.Content content, boolean headOnly) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", content.type());
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
        headers.set("Cache-Control", "no-store");
        if (content.zipped()) {
            headers.set("Content-Encoding", "gzip");
        }
        ByteBuffer bytes = content.bytes();
        exchange.sendResponseHeaders(200, headOnly ? -1 : bytes.remaining());
        try (WritableByteChannel out = Channels.newChannel(exchange.getResponseBody())) {
            while (!headOnly && bytes.hasRemaining()) {
                out.write(bytes);
            }
        }
    }

    /** Returns the daemon's problem; a daemon that fails to report its health has one. */
    private static Optional<String> problemOf(Supplier<Optional<String>> problem) {
        try {
            return problem.get();
        } catch (RuntimeException | Error e) {
            return Optional.of("health could not be asked: " + e);
        }
    }

    /** Adds the notes, or a line that says why they are not known. Returns whether they are known. */
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
        boolean headOnly = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, headOnly ? -1 : bytes.length);
        try (OutputStream out = exchange.getResponseBody()) {
            if (!headOnly) {
                out.write(bytes);
            }
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        page.ifPresent(StatusPage::close);
        threads.shutdownNow();
    }
}
