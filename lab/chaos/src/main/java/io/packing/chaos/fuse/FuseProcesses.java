// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.fuse;

import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A master, a worker and a registry over a directory as the store. Each is a process that can be killed and started
 * again on its files.
 */
final class FuseProcesses implements AutoCloseable {
    static final String REGISTRY = "/registry";
    /** The processes of the site; each needs those before it. */
    static final List<Victim> IN_ORDER = List.of(Victim.MASTER, Victim.WORKER, Victim.REGISTRY);

    private static final Duration START = Duration.ofSeconds(60);
    private static final int MEGABYTES = 256;

    private final Path home;
    private final String master;
    private final int registryPort;
    private final Map<String, String> options;
    private final Map<Victim, JavaProcess> running = new EnumMap<>(Victim.class);
    private final Map<Victim, JavaProcess> prepared = new EnumMap<>(Victim.class);
    private int started;

    private FuseProcesses(Path home, String master, int registryPort, Map<String, String> options) {
        this.home = home;
        this.master = master;
        this.registryPort = registryPort;
        this.options = options;
    }

    static FuseProcesses start(Path home) throws IOException, InterruptedException {
        Path store = Files.createDirectories(home.resolve("store"));
        Files.createDirectories(home.resolve("logs"));
        List<Integer> ports = Ports.free(2);
        // The timeouts cover a restart on a busy machine, and a short age makes blobs all the time.
        Map<String, String> options = Map.of(
                "packing.store", store.toUri().toString(),
                "packing.seal.after", "1s",
                "packing.master.timeout", "60s",
                "packing.worker.timeout", "60s");
        FuseProcesses site = new FuseProcesses(home, "127.0.0.1:" + ports.get(0), ports.get(1), options);
        try {
            for (Victim each : IN_ORDER) {
                site.start(each);
            }
            return site;
        } catch (IOException | InterruptedException | RuntimeException e) {
            site.close();
            throw e;
        }
    }

    String master() {
        return master;
    }

    Map<String, String> options() {
        return options;
    }

    /** Returns the registry's host and port. */
    String registry() {
        return "127.0.0.1:" + registryPort;
    }

    /** Kills a process, if the site has it. */
    void kill(Victim victim) throws InterruptedException {
        JavaProcess process = running.get(victim);
        if (process != null) {
            process.kill();
        }
    }

    /**
     * Prepares the successor of a process that still runs. This JVM's programs have files of mounts open. Every new
     * child closes its copies of them, and such a close waits for a killed server.
     */
    void prepare(Victim victim) throws IOException {
        if (IN_ORDER.contains(victim) && !prepared.containsKey(victim)) {
            prepared.put(victim, JavaProcess.prepare(command(victim), home.resolve("logs")));
        }
    }

    /** Starts a process on its files, and returns when it serves. */
    void start(Victim victim) throws IOException, InterruptedException {
        prepare(victim);
        JavaProcess process = Objects.requireNonNull(prepared.remove(victim));
        process.begin();
        running.put(victim, process);
        String unused = process.awaitLine(ready(victim), START);
    }

    /** Returns the beginning of the line that a process prints when it serves. */
    private static String ready(Victim victim) {
        return switch (victim) {
            case MASTER -> "BDT master at ";
            case WORKER -> "worker ";
            case REGISTRY -> "registry of ";
            default -> throw new IllegalArgumentException(victim + " is no process of the site");
        };
    }

    private JavaCommand command(Victim victim) {
        List<String> words = new ArrayList<>();
        switch (victim) {
            case MASTER -> {
                words.addAll(List.of("bdt-master", "--bind", master, "--data-dir", at("master")));
                words.addAll(List.of("--store", Objects.requireNonNull(options.get("packing.store"))));
            }
            case WORKER -> {
                words.addAll(List.of(
                        "worker", "--master", master, "--id", "w", "--buffer-dir", at("buffer"), "--port", "0"));
                options.forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
            }
            case REGISTRY -> {
                words.addAll(List.of("registry", "--bind", registry()));
                words.addAll(List.of("--store", "packing://" + master + REGISTRY));
                options.forEach((key, value) -> words.addAll(List.of("--option", key + "=" + value)));
            }
            default -> throw new IllegalArgumentException(victim + " is no process of the site");
        }
        String name = "%s-%d".formatted(words.get(0), ++started);
        List<String> classPath = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.endsWith("test-classes"))
                .toList();
        JavaCommand command = new JavaCommand(
                name,
                "io.packing.cli.Main",
                classPath,
                MEGABYTES,
                Map.of("packing.log", at("logs/" + name + "-inside.log")),
                words,
                Map.of());
        return command.brief();
    }

    private String at(String name) {
        return home.resolve(name).toString();
    }

    @Override
    public void close() {
        prepared.values().forEach(JavaProcess::close);
        for (Victim each : List.of(Victim.REGISTRY, Victim.WORKER, Victim.MASTER)) {
            JavaProcess process = running.get(each);
            if (process != null) {
                process.close();
            }
        }
    }
}
