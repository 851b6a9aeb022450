// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.cli.launch.Narrator;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.lab.compare.RunOrigin;
import io.packing.process.LinkedProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The measurement of containerd, small: an image of this machine's shell, with our snapshotter and with overlayfs. */
@Timeout(600)
@Tag("experiment")
class ContainerdBenchIT {
    private static final Path PROGRAM = Path.of("/bin/sh");
    private static final RunOrigin ORIGIN = new RunOrigin("commit", "machine", Map.of());

    @TempDir
    private Path home;

    private static ContainerdBench bench(List<String> systems, int rounds) {
        return new ContainerdBench(Map.of(), systems, rounds, ORIGIN, new Narrator(true));
    }

    /** Builds an image of the shell and its libraries. */
    private ImageSet.Image image() throws Exception {
        Path root = Files.createDirectories(home.resolve("root"));
        LinkedProgram.copy(PROGRAM.toString(), root);
        return ImageSet.image(home, "shell", List.of(ImageSet.tar(home, "layer", root)));
    }

    @Test
    void bothSnapshottersRunTheImageAndNothingIsLeft() throws Exception {
        try {
            ContainerdBench.check();
        } catch (IllegalArgumentException e) {
            assumeTrue(false, e.getMessage());
        }
        ContainerdBench.Result result =
                bench(List.of("packing", "overlay-ctr"), 1).run(image(), List.of("/bin/sh", "-c", "echo hello"));
        assertThat(result.wrong()).as("runs that printed other words").isZero();
        JsonNode json = new ObjectMapper().valueToTree(result);
        assertThat(json.path("systems"))
                .extracting(each -> each.path("system").asText())
                .containsExactly("packing, start unknown", "packing", "overlayfs, pull by ctr");
        assertThat(json.path("systems")).allSatisfy(each -> {
            for (String figure : List.of("pull_seconds", "first_start_seconds", "second_start_seconds")) {
                assertThat(each.path(figure).path("median").asDouble())
                        .as(figure)
                        .isPositive();
            }
        });
        assertThat(json.path("containerd").asText()).contains("containerd");
        assertThat(json.path("machine").asText()).isEqualTo("machine");
        assertThat(KernelMountTable.entries())
                .as("mounts that are left")
                .noneMatch(each -> each.directory().toString().contains("packing-ctd"));
    }

    @Test
    void unknownSystemsAndNoRoundsAreRefused() {
        assertThatThrownBy(() -> bench(List.of("packing", "podman"), 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'podman' is no system; there are packing, packing-later, packing-ctr, overlay");
        assertThatThrownBy(() -> bench(List.of(), 0)).hasMessageContaining("at least 1");
    }
}
