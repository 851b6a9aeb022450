// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A Chromium without a window, asked by its DevTools protocol. It has a new profile: nothing is cached. Confined to one thread.
 */
final class Browser implements AutoCloseable {
    private static final long MOST_SECONDS = 60;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final WebSocket socket;
    private final BlockingQueue<JsonNode> messages;
    private String session = "";
    private int asked;

    private Browser(Process process, WebSocket socket, BlockingQueue<JsonNode> messages) {
        this.process = process;
        this.socket = socket;
        this.messages = messages;
    }

    /** The program; empty: it is not installed. */
    static Optional<Path> program() {
        return Stream.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator))
                .flatMap(folder -> Stream.of(Path.of(folder, "chromium"), Path.of(folder, "google-chrome")))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts one whose profile is in a directory. */
    static Browser start(Path program, Path home) throws IOException, InterruptedException {
        Path profile = Files.createDirectories(home.resolve("profile"));
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("browser.log").toFile())
                .start();
        try {
            BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
            URI address = address(process, profile.resolve("DevToolsActivePort"));
            WebSocket socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(address, new Reader(messages))
                    .join();
            Browser browser = new Browser(process, socket, messages);
            String target = browser.ask("Target.createTarget", Map.of("url", "about:blank"))
                    .get("targetId")
                    .asText();
            browser.session = browser.ask("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                    .get("sessionId")
                    .asText();
            return browser;
        } catch (IOException | InterruptedException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** Returns the address at which the browser listens, from the file that it writes. */
    private static URI address(Process process, Path file) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (System.nanoTime() - end < 0) {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            if (lines.size() >= 2) {
                return URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1));
            }
            if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                throw new IOException(
                        "chromium ended with %d; see browser.log beside its profile".formatted(process.exitValue()));
            }
        }
        throw new IOException("chromium did not say where it listens for %d s".formatted(MOST_SECONDS));
    }

    private static final class Reader implements WebSocket.Listener {
        private final BlockingQueue<JsonNode> messages;
        private final StringBuilder text = new StringBuilder();

        private Reader(BlockingQueue<JsonNode> messages) {
            this.messages = messages;
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            text.append(part);
            if (last) {
                try {
                    messages.add(JSON.readTree(text.toString()));
                } catch (IOException e) {
                    return CompletableFuture.failedStage(e);
                } finally {
                    text.setLength(0);
                }
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    /** Calls a method of the protocol, and returns its result. */
    private JsonNode ask(String method, Map<String, ?> words) throws IOException, InterruptedException {
        int number = ++asked;
        ObjectNode call = JSON.createObjectNode().put("id", number).put("method", method);
        call.set("params", JSON.valueToTree(words));
        if (!session.isEmpty()) {
            call.put("sessionId", session);
        }
        socket.sendText(call.toString(), true).join();
        while (true) {
            JsonNode message = messages.poll(MOST_SECONDS, TimeUnit.SECONDS);
            if (message == null) {
                throw new IOException("chromium does not answer to " + method);
            }
            // The others are events.
            if (message.path("id").asInt() == number) {
                if (message.has("error")) {
                    throw new IOException("%s: %s".formatted(method, message.get("error")));
                }
                return message.get("result");
            }
        }
    }

    /** The size of the window in pixels, and whether it is a dark one. */
    void window(int width, int height, boolean dark) throws IOException, InterruptedException {
        JsonNode sized = ask(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
        JsonNode coloured = ask(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"))));
        if (sized == null || coloured == null) {
            throw new IOException("chromium did not take the size of its window");
        }
    }

    /** Opens a page. */
    void open(String uri) throws IOException, InterruptedException {
        JsonNode opened = ask("Page.navigate", Map.of("url", uri));
        if (opened.has("errorText")) {
            throw new IOException(
                    "%s: %s".formatted(uri, opened.get("errorText").asText()));
        }
    }

    /** The value of an expression, once it is one. */
    JsonNode await(String expression) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (System.nanoTime() - end < 0) {
            JsonNode result = ask("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true))
                    .path("result");
            if (result.hasNonNull("value")) {
                return result.get("value");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        throw new IOException("the page has no " + expression);
    }

    /** Writes what is seen as PNG. */
    void photograph(Path file) throws IOException, InterruptedException {
        String data = ask("Page.captureScreenshot", Map.of("format", "png"))
                .get("data")
                .asText();
        Files.write(file, Base64.getDecoder().decode(data));
    }

    /** Ends the browser with its child processes, which write into the profile until then. */
    @Override
    public void close() throws InterruptedException {
        socket.abort();
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        for (ProcessHandle child : children) {
            child.destroyForcibly();
            try {
                ProcessHandle unused = child.onExit().get(10, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IllegalStateException("process %d of chromium does not end".formatted(child.pid()), e);
            }
        }
    }
}
