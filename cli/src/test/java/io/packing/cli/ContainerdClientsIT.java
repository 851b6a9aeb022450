// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import io.packing.process.Await;
import io.packing.process.LinkedProgram;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Stock crictl with our snapshotter, as a user calls it. {@code bin/test-containerd} builds it. */
@Timeout(600)
@Tag("cluster")
class ContainerdClientsIT {
    private static final List<String> PROGRAMS = List.of("sh", "cat", "sleep");
    /** The image of a pod's first process, which containerd takes by this name. */
    private static final String PAUSE = "registry.k8s.io/pause:3.6";

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path home;

    private Optional<ContainerdRig> started = Optional.empty();
    private byte[] shell = {};
    private byte[] data = {};

    @BeforeEach
    void start() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        Optional<String> missing = ContainerdRig.missing();
        assumeTrue(missing.isEmpty(), missing.orElse(""));
        started = Optional.of(new ContainerdRig(home));
        Path tree = Files.createDirectories(home.resolve("shell-tree"));
        for (String name : PROGRAMS) {
            LinkedProgram.copy(name, tree);
        }
        shell = tar(tree);
        Path folder = Files.createDirectories(home.resolve("data-tree/data"));
        Files.writeString(folder.resolve("long"), "of the image\n".repeat(10_000));
        data = tar(home.resolve("data-tree"));
    }

    @AfterEach
    void stop() throws Exception {
        if (started.isPresent()) {
            started.get().close();
        }
    }

    private ContainerdRig rig() {
        return started.orElseThrow();
    }

    private byte[] tar(Path tree) throws IOException, InterruptedException {
        Path tar = home.resolve(tree.getFileName() + ".tar");
        String unused = say(List.of("tar", "-cf", tar.toString(), "-C", tree.toString(), "."));
        return Files.readAllBytes(tar);
    }

    private String say(List<String> command) throws IOException, InterruptedException {
        Path errors = home.resolve("client.err");
        Process process = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectError(errors.toFile())
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor())
                .as("%s: %s%s", String.join(" ", command), said, Files.readString(errors))
                .isZero();
        return said.strip();
    }

    /** Returns the path of a program on the path, or in {@code -Dpacking.clients=DIR}. */
    private static String program(String name) {
        Optional<String> found = Stream.concat(
                        Stream.of(System.getProperty("packing.clients", "")),
                        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1)))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
        assumeTrue(
                found.isPresent(),
                "no %s on the path, nor in -Dpacking.clients=DIR: bin/test-containerd builds it".formatted(name));
        return found.orElseThrow();
    }

    private String crictl(String... words) throws IOException, InterruptedException {
        String socket = "unix://" + rig().socket();
        List<String> command = new ArrayList<>(List.of(
                program("crictl"), "--runtime-endpoint", socket, "--image-endpoint", socket, "--timeout", "60s"));
        command.addAll(List.of(words));
        return say(command);
    }

    private boolean has(byte[] layer) throws IOException, InterruptedException {
        return rig().ctr("content", "ls", "-q")
                .contains(ContainerdRig.digest(layer).toString());
    }

    @Test
    void crictlPullsAndRemovesAnImageWithoutItsLayers() throws Exception {
        String image = rig().push("team/app", List.of(shell, data));
        assertThat(crictl("pull", image)).contains("Image is up to date");
        assertThat(crictl("images", "-q")).isNotEmpty();
        assertThat(has(shell)).isFalse();
        assertThat(has(data)).isFalse();
        assertThat(crictl("rmi", image)).contains("Deleted");
        assertThat(crictl("images", "-q")).isEmpty();
    }

    @Test
    void crictlRunsAContainerInAPod() throws Exception {
        String pause = rig().push("team/pause", List.of(shell), List.of("sleep", "1000"));
        String image = rig().push("team/app", List.of(shell, data), List.of("sleep", "1000"));
        crictl("pull", pause);
        crictl("pull", image);
        rig().ctr("images", "tag", pause, PAUSE);
        Path pod = Files.writeString(home.resolve("pod.json"), """
                {"metadata": {"name": "pod", "namespace": "default", "uid": "%s", "attempt": 1},
                 "log_directory": "%s",
                 "linux": {"security_context": {"namespace_options": {"network": 2}}}}
                """.formatted(rig().name(), home));
        Path container = Files.writeString(home.resolve("container.json"), """
                {"metadata": {"name": "app"}, "image": {"image": "%s"}, "log_path": "app.log",
                 "linux": {"security_context": {"namespace_options": {"network": 2}}}}
                """.formatted(image));
        Await.until("containerd has the image of pods", () -> crictl("images").contains("pause"));
        String podId = crictl("runp", pod.toString());
        String id = crictl("create", podId, container.toString(), pod.toString());
        crictl("start", id);
        assertThat(crictl("exec", id, "sh", "-c", "echo own > /data/new && cat /data/new && cat /data/long"))
                .startsWith("own\nof the image");
        assertThat(has(shell)).isFalse();
        assertThat(has(data)).isFalse();
        crictl("stop", "--timeout", "1", id);
        crictl("rm", id);
        crictl("stopp", podId);
        crictl("rmp", podId);
        assertThat(crictl("pods", "-q")).isEmpty();
    }
}
