// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The machine's podman with images, containers and configuration of its own, as another machine would have them. */
final class Podman {
    private static final int MINUTES = 3;

    private final Path home;

    /**
     * Makes a podman with empty storage.
     *
     * @param layers the mounted layer store that it reads from; empty: it pulls as podman does everywhere
     */
    Podman(Path home, Optional<Path> layers) throws IOException {
        this.home = Files.createDirectories(home);
        String storage = "[storage]\ndriver = \"overlay\"\ngraphroot = \"%s\"\nrunroot = \"%s\"\n[storage.options]\n%s"
                .formatted(
                        graph(),
                        home.resolve("run"),
                        layers.map(at -> "additionallayerstores = [\"%s:ref\"]\n".formatted(at))
                                .orElse(""));
        // Otherwise it mounts its directory over itself, for good.
        Files.writeString(
                home.resolve("storage.conf"), storage + "[storage.options.overlay]\nskip_mount_home = \"true\"\n");
        // The settings of containers on a machine without systemd, a network, or the right to raise limits.
        Files.writeString(home.resolve("containers.conf"), """
                [engine]
                cgroup_manager = "cgroupfs"
                events_logger = "none"
                runtime = "runc"
                tmp_dir = "%s"
                [containers]
                default_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]
                netns = "host"
                log_driver = "k8s-file"
                """.formatted(home.resolve("tmp")));
        Path policy =
                Files.createDirectories(home.resolve(".config/containers")).resolve("policy.json");
        Files.writeString(policy, "{\"default\":[{\"type\":\"insecureAcceptAnything\"}]}");
    }

    /** Returns the programs that this machine lacks; empty: none. */
    static Optional<String> missing() {
        List<String> missing = Stream.of("podman", "runc", "conmon")
                .filter(name -> !isThere(name))
                .toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("no %s on the path: apt-get install podman runc".formatted(String.join(", ", missing)));
    }

    private static boolean isThere(String name) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, name)));
    }

    /** Returns the directory of its layers. */
    Path graph() {
        return home.resolve("graph");
    }

    /** Returns a command of podman that is not started yet. */
    ProcessBuilder command(String... words) {
        List<String> command = new ArrayList<>(List.of("podman"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
        builder.environment().put("HOME", home.toString());
        builder.environment()
                .put("CONTAINERS_STORAGE_CONF", home.resolve("storage.conf").toString());
        builder.environment()
                .put("CONTAINERS_CONF", home.resolve("containers.conf").toString());
        return builder;
    }

    /** Runs a command, which must succeed; returns its output. Warnings are left out. */
    String run(String... words) throws IOException, InterruptedException {
        Path out = home.resolve("podman.out");
        Path err = home.resolve("podman.err");
        Process process = command(words)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
        String said = Files.readString(out, StandardCharsets.ISO_8859_1);
        assertThat(process.waitFor())
                .as("podman %s: %s%s", String.join(" ", words), said, Files.readString(err))
                .isZero();
        return said;
    }

    /** Bytes of all that it has stored. */
    long storedBytes() throws IOException, InterruptedException {
        return Long.parseLong(
                Commands.run(home, "du", "--summarize", "--one-file-system", "--bytes", graph().toString())
                        .split("\\s", 2)[0]);
    }
}
