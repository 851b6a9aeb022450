// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The machine's containerd, as a process with a root of its own, and with our snapshotter as the proxy plugin {@code packing}. Thread-safe. */
public final class ContainerdProcess implements AutoCloseable {
    /** The namespace of Kubernetes, in which containerd's CRI has its images. */
    private static final String NAMESPACE = "k8s.io";

    private static final Duration START = Duration.ofMinutes(3);

    private final Path home;
    private final Process process;

    private ContainerdProcess(Path home, Process process) {
        this.home = home;
        this.process = process;
    }

    /**
     * Starts containerd; returns once it answers.
     *
     * @param home directory of its root, its state and its socket
     * @param plugin socket of our snapshotter
     * @param snapshotter name of the snapshotter for images that CRI pulls
     */
    public static ContainerdProcess start(Path home, Path plugin, String snapshotter)
            throws IOException, InterruptedException {
        Path configuration = home.resolve("config.toml");
        Files.writeString(configuration, """
                version = 2
                root = "%1$s/containerd"
                state = "%1$s/containerd-state"
                [grpc]
                address = "%2$s"
                [ttrpc]
                address = "%2$s.ttrpc"
                [proxy_plugins.packing]
                type = "snapshot"
                address = "%3$s"
                [plugins."io.containerd.grpc.v1.cri"]
                disable_tcp_service = true
                restrict_oom_score_adj = true
                [plugins."io.containerd.grpc.v1.cri".containerd]
                snapshotter = "%4$s"
                disable_snapshot_annotations = false
                """.formatted(home, socket(home), plugin, snapshotter));
        Process process = new ProcessBuilder("containerd", "--config", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(log(home).toFile())
                .start();
        ContainerdProcess containerd = new ContainerdProcess(home, process);
        try {
            Await.until("containerd answers", START, containerd::answers);
        } catch (IOException | InterruptedException e) {
            containerd.end();
            throw e;
        }
        return containerd;
    }

    private static Path socket(Path home) {
        return home.resolve("c.sock");
    }

    private static Path log(Path home) {
        return home.resolve("containerd.log");
    }

    private boolean answers() throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new IOException(
                    "containerd ended: " + Files.readString(log(home)).strip());
        }
        return Files.exists(socket())
                && ctr("version")
                                .redirectErrorStream(true)
                                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                                .start()
                                .waitFor()
                        == 0;
    }

    /** Returns the socket of its API. */
    public Path socket() {
        return socket(home);
    }

    /** Returns a command of its own client, which the caller starts. */
    public ProcessBuilder ctr(String... words) {
        List<String> command = new ArrayList<>(List.of("ctr", "--address", socket().toString(), "-n", NAMESPACE));
        command.addAll(List.of(words));
        return new ProcessBuilder(command).directory(home.toFile());
    }

    private void end() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(1, TimeUnit.MINUTES)) {
            process.destroyForcibly();
        }
    }

    /** Ends containerd; its containers go on. */
    @Override
    public void close() throws IOException {
        try {
            end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted before containerd ended", e);
        }
    }
}
