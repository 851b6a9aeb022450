// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.cli.launch.Narrator;
import io.packing.fuse.mount.FuseMount;
import io.packing.storeservers.NetworkLink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers that run for long, and builds by several compilers, in a short form: with real images of packages on both sides. */
@Timeout(900)
@Tag("experiment")
class ContainersIT {
    @TempDir
    private Path home;

    @BeforeEach
    void assumeThatAllIsThere() {
        System.setProperty(
                "packing.home", Path.of("../..").toAbsolutePath().normalize().toString());
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        for (String program : List.of("docker-registry", "apt-get", "dpkg-deb", "unshare")) {
            assumeTrue(isThere(program), "it needs %s: apt-get install docker-registry util-linux".formatted(program));
        }
        // Looked up, and not downloaded.
        assumeTrue(finds("redis-server"), "apt-get does not know redis-server: apt-get update");
    }

    private static boolean isThere(String program) {
        try {
            HostPrograms.check(program, "");
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private boolean finds(String name) {
        try {
            HostPrograms.run(home, List.of("apt-get", "--print-uris", "download", name));
            return true;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long mounts() throws Exception {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/mountinfo"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains("packing-long") || line.contains("packing-multimake"))
                    .count();
        }
    }

    @Test
    void aDatabaseAnswersOnBothSides() throws Exception {
        LongExperiment experiment =
                new LongExperiment(Map.of(), Set.of("redis"), Duration.ofSeconds(1), 1, new Narrator(true));
        LongExperiment.Result result = experiment.run();
        assertThat(result.missing()).isEmpty();
        assertThat(result.servers()).hasSize(1);
        assertThat(result.rateRatio()).isPositive();
        assertThat(result.servers().get(0).ours().rate()).isPositive();
        assertThat(result.servers().get(0).ours().price())
                .as("with its servers to without")
                .isPositive();
        assertThat(mounts()).as("mounts that are left").isZero();
    }

    @Test
    void aTreeIsBuiltAndRunByACompilerOnBothSides() throws Exception {
        Path source = Files.createDirectories(home.resolve("source"));
        Files.writeString(
                source.resolve("main.c"), "#include <stdio.h>\nint main(void) { puts(__VERSION__); return 0; }\n");
        MultiMake.Result result = multiMake(source, false).make();
        assertThat(result.failed()).as("%s", result).isZero();
        assertThat(result.wrong()).isZero();
        assertThat(result.compilers().get(0).ours().said()).startsWith("12.");
        // A failed build is reported, and the tree is as it was.
        Files.writeString(source.resolve("main.c"), "int main(void) { return missing; }\n");
        MultiMake.Result broken = multiMake(source, true).make();
        assertThat(broken.failed()).isEqualTo(1);
        assertThat(broken.wrong()).isZero();
        assertThat(broken.compilers().get(0).ours().said()).contains("missing");
        try (Stream<Path> files = Files.list(source)) {
            assertThat(files).hasSize(1);
        }
        assertThat(mounts()).as("mounts that are left").isZero();
    }

    private static MultiMake multiMake(Path source, boolean startsKnown) {
        return new MultiMake(
                source,
                List.of("gcc-12"),
                Optional.empty(),
                Optional.empty(),
                true,
                startsKnown,
                startsKnown,
                Map.of(),
                NetworkLink.NONE,
                new Narrator(true));
    }
}
