// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import io.packing.chaos.client.ClientConnection;
import io.packing.chaos.client.ClientMain;
import io.packing.chaos.client.ClientReply;
import io.packing.chaos.client.ClientRequest;
import io.packing.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A client process, which can be killed and started again. It stays from round to round. Thread-safe. */
public final class ClientSide implements AutoCloseable {
    private static final int MEGABYTES = 192;
    private static final Duration START = Duration.ofSeconds(60);
    /** The limit of an operation, longer than any may take without a lasting fault. */
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String name;
    private final Launch launch;
    private final Path directory;
    private JavaProcess process;
    private int port;
    private Map<String, String> mount = Map.of();

    private ClientSide(String name, Launch launch, Path directory, JavaProcess process) {
        this.name = name;
        this.launch = launch;
        this.directory = directory;
        this.process = process;
    }

    /** Starts a process; {@link #await} waits for it. */
    static ClientSide start(String name, Launch launch, Path home) throws IOException {
        Path directory = Files.createDirectories(home.resolve(name));
        return new ClientSide(name, launch, directory, launch(name, launch, directory));
    }

    private static JavaProcess launch(String name, Launch launch, Path directory) throws IOException {
        Files.createDirectories(directory);
        return launch.start(
                name, ClientMain.class.getName(), MEGABYTES, List.of(), Map.of("TMPDIR", directory.toString()));
    }

    private synchronized void await() throws IOException, InterruptedException {
        if (port == 0) {
            port = Integer.parseInt(process.awaitLine("client at ", START));
        }
    }

    void open(Map<String, String> options) throws IOException, InterruptedException {
        synchronized (this) {
            mount = Map.copyOf(options);
        }
        await();
        try (ClientConnection connection = connect()) {
            ClientReply reply = connection.ask(ClientRequest.open(options));
            if (!reply.isDone()) {
                throw process().failure("could not open the mount: " + reply.text());
            }
        }
    }

    private synchronized JavaProcess process() {
        return process;
    }

    /** Connects to the process as it runs now. */
    public ClientConnection connect() throws IOException {
        int now;
        synchronized (this) {
            now = port;
        }
        if (now == 0) {
            throw new IOException(name + " is not running");
        }
        return ClientConnection.to(now, PATIENCE);
    }

    /** Kills the process by SIGKILL, and deletes its directory. */
    public synchronized void kill() throws IOException, InterruptedException {
        port = 0;
        process.kill();
        Trees.delete(directory);
    }

    /** Starts the process again, with the mount that it had. */
    public void restart() throws IOException, InterruptedException {
        Map<String, String> options;
        synchronized (this) {
            process = launch(name, launch, directory);
            port = 0;
            options = mount;
        }
        open(options);
    }

    public synchronized boolean isAlive() {
        return process.isAlive();
    }

    @Override
    public synchronized void close() {
        // The process keeps no state that an orderly end would save.
        try {
            process.kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
