// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.cli.launch.Narrator;
import io.packing.fuse.mount.FuseMount;
import io.packing.process.LinkedProgram;
import io.packing.rig.Workspace;
import io.packing.storeservers.NetworkLink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The experiment on starts of containers, whole and small: one image, of a program of this machine, one round. */
@Timeout(600)
@Tag("experiment")
class HelloExperimentIT {
    private static final Path PROGRAM = Path.of("/usr/bin/git");

    @TempDir
    private Path home;

    private static void assumeThatAllIsThere() {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        for (String program : List.of("docker-registry", "unshare", "fincore", "ldd", "git")) {
            try {
                HostPrograms.check(program, "");
            } catch (IllegalArgumentException e) {
                assumeTrue(false, "it needs %s: apt-get install docker-registry util-linux git".formatted(program));
            }
        }
        assumeTrue(Files.isExecutable(PROGRAM), "it needs " + PROGRAM);
    }

    /** An image with the program, and what it is linked with. */
    private ImageSet image() throws Exception {
        Path root = Files.createDirectories(home.resolve("root"));
        LinkedProgram.copy(PROGRAM.toString(), root);
        ImageSet.Blob layer = ImageSet.tar(home, "layer", root);
        return new ImageSet(List.of(ImageSet.image(home, "git", List.of(layer))), layer.size());
    }

    private static long mounts() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains("packing-hello")).count();
        }
    }

    @Test
    void anImageIsPushedPulledAndStartedOnBothSides() throws Exception {
        assumeThatAllIsThere();
        HelloExperiment experiment =
                new HelloExperiment(Map.of(), Set.of(), 1, false, NetworkLink.NONE, new Narrator(true));
        HelloExperiment.Result result;
        try (Workspace built = Workspace.create("packing-hello-it")) {
            result = experiment.run(image(), built, Optional.of(home.resolve("report")));
        }
        assertThat(result.images()).isEqualTo(1);
        assertThat(result.wrong())
                .as("images of which the sides print different things")
                .isZero();
        assertThat(result.peer().deployment()).isPositive();
        assertThat(result.ours().deployment()).isPositive();
        assertThat(result.perImage()).singleElement().satisfies(image -> {
            assertThat(image.name()).isEqualTo("git");
            assertThat(image.bytes()).isGreaterThan(Files.size(PROGRAM));
            assertThat(image.first().readBytes())
                    .as("what the first start anywhere reads")
                    .isPositive();
        });
        assertThat(home.resolve("report"))
                .isDirectoryContaining(file -> file.toString().endsWith(".html"));
        assertThat(mounts()).as("mounts that are left").isZero();
    }
}
