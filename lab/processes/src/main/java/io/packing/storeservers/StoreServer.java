// SPDX-License-Identifier: Apache-2.0
package io.packing.storeservers;

import io.packing.process.Ports;
import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A running server of objects with one empty bucket, {@link ServerKind#BUCKET}. It ends with this JVM, even after a crash.
 * Confined to one thread.
 */
public final class StoreServer implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration END = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 50;

    /** The shell that waits until this process closes its standard input or ends. Then it kills the server. */
    private static final String LEASH =
            "\"$@\" </dev/null >&2 & server=$!; echo $server; cat >/dev/null; kill -9 $server";

    private final ServerKind kind;
    private final Path program;
    private final Path directory;
    private final List<Integer> ports;
    private Process leash;
    private long pid;

    private StoreServer(ServerKind kind, Path program, Path directory) throws IOException, InterruptedException {
        this.kind = kind;
        this.program = program;
        this.directory = Files.createDirectories(directory).toAbsolutePath();
        this.ports = Ports.free(ServerKind.PORTS);
        this.leash = launch();
        this.pid = pidOf(leash);
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @param directory of its data and its log
     */
    public static StoreServer start(ServerKind kind, Path directory) throws IOException, InterruptedException {
        Path program = kind.find().orElseThrow(() -> new IOException(kind.howToInstall()));
        StoreServer server = new StoreServer(kind, program, directory);
        try {
            server.awaitAnswer();
            if (kind == ServerKind.SEAWEEDFS) {
                server.makeFolder("/buckets/" + ServerKind.BUCKET + "/");
            }
            if (kind == ServerKind.AZURITE) {
                AzureContainers.make(server.endpoint(), ServerKind.BUCKET, Clock.systemUTC());
            }
            return server;
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    private Process launch() throws IOException {
        List<String> words = new ArrayList<>(List.of("sh", "-c", LEASH, kind.toString(), program.toString()));
        words.addAll(kind.arguments(directory, ports));
        File log = log().toFile();
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(new File(directory.toString()))
                .redirectError(ProcessBuilder.Redirect.appendTo(log));
        builder.environment().putAll(kind.environment());
        return builder.start();
    }

    private static long pidOf(Process leash) throws IOException {
        String line = leash.inputReader().readLine();
        if (line == null) {
            throw new IOException("no shell");
        }
        return Long.parseLong(line.strip());
    }

    private Path log() {
        return directory.resolve("server.log");
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + ports.get(0));
    }

    /** Waits for an answer. Any status below 500 counts, since the request has no signature. */
    private void awaitAnswer() throws IOException, InterruptedException {
        long deadline = System.nanoTime() + START.toNanos();
        while (true) {
            try {
                int status = request("GET", endpoint());
                if (status < 500) {
                    return;
                }
            } catch (IOException e) {
                // The server does not answer yet.
            }
            if (System.nanoTime() > deadline || !leash.isAlive()) {
                throw new IOException("%s does not answer; see %s".formatted(kind, log()));
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Makes a folder in SeaweedFS, which keeps buckets as folders of its filer. */
    private void makeFolder(String path) throws IOException, InterruptedException {
        URI folder = URI.create("http://127.0.0.1:" + ports.get(1) + path);
        long deadline = System.nanoTime() + START.toNanos();
        while (request("POST", folder) >= 300) {
            if (System.nanoTime() > deadline) {
                throw new IOException("%s did not make the bucket; see %s".formatted(kind, log()));
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    /**
     * Lets SeaweedFS sync the bytes of each object before it answers, as MinIO does by itself. It has a rule for that, and no flag. The names
     * of objects, which are in its filer's database, are still not synced.
     */
    public void syncObjects() throws IOException {
        URI rules = URI.create("http://127.0.0.1:" + ports.get(1) + "/etc/seaweedfs/filer.conf");
        String rule = "{\"locations\":[{\"locationPrefix\":\"/buckets/\",\"fsync\":true}]}";
        int status = request("PUT", rules, rule.getBytes(StandardCharsets.UTF_8));
        if (kind != ServerKind.SEAWEEDFS || status >= 300) {
            throw new IOException("%s does not take a rule to sync objects: status %d".formatted(kind, status));
        }
    }

    private static int request(String method, URI uri) throws IOException {
        return request(method, uri, new byte[0]);
    }

    private static int request(String method, URI uri, byte[] body) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        try {
            connection.setRequestMethod(method);
            connection.setConnectTimeout(1_000);
            connection.setReadTimeout(5_000);
            if (body.length > 0) {
                connection.setDoOutput(true);
                connection.getOutputStream().write(body);
            }
            return connection.getResponseCode();
        } finally {
            connection.disconnect();
        }
    }

    /** Kills the server and waits for its end. */
    public void crash() throws IOException, InterruptedException {
        leash.outputWriter().close();
        if (!leash.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("%s cannot be killed".formatted(kind));
        }
    }

    /** Starts the server again on its data and returns when it answers. */
    public void revive() throws IOException, InterruptedException {
        leash = launch();
        pid = pidOf(leash);
        awaitAnswer();
    }

    /** Stops the server where it is with all its connections open, as on a machine that swaps. */
    public void freeze() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Continues a frozen server. */
    public void thaw() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("%s, process %d, could not be sent SIG%s".formatted(kind, pid, name));
        }
    }

    @Override
    public void close() throws IOException {
        try {
            crash();
        } catch (InterruptedException e) {
            leash.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "%s at %s".formatted(kind, endpoint());
    }
}
