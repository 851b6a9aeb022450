// SPDX-License-Identifier: Apache-2.0
package io.packing.csi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kubernetes' own suite of tests for drivers, on the driver with mounts of this machine. */
@Timeout(900)
@Tag("process")
class CsiSanityIT {
    private static final Pattern RESULT = Pattern.compile(
            "Ran (\\d+) of \\d+ Specs.*?(\\d+) Passed.*?(\\d+) Failed.*?(\\d+) Pending.*?(\\d+) Skipped",
            Pattern.DOTALL);
    private static final Pattern SKIPPED = Pattern.compile("(?m)^\\s*\\[SKIPPED\\] (.+)$");
    /** Tests that the suite leaves out: of calls for attaching volumes, for changes of their parameters, for places of snapshots and for the health of storage, which the driver does not have. */
    private static final Set<String> LEFT_OUT = Set.of(
            "ControllerPublishVolume not supported",
            "ControllerUnpublishVolume not supported",
            "Controller Publish, UnpublishVolume not supported",
            "ControllerModifyVolume not supported",
            "Modify volume not supported",
            "Modify Volume not supported",
            "ControllerGetVolumeHealth not supported",
            "ControllerListVolumeHealth not supported",
            "NodeGetStorageHealth not supported",
            "SNAPSHOT_ACCESSIBILITY_CONSTRAINTS not supported");

    @TempDir
    private Path home;

    private static Optional<Path> program() {
        String servers = System.getProperty("packing.servers", "");
        return Stream.concat(
                        Stream.of(servers),
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(":")))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, "csi-sanity"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static String run(Path sanity, Path home, Path socket) throws IOException, InterruptedException {
        Path output = home.resolve("sanity.txt");
        Process process = new ProcessBuilder(List.of(
                        sanity.toString(),
                        "--csi.endpoint=unix://" + socket,
                        "--csi.mountdir=" + home.resolve("mounts"),
                        "--csi.stagingdir=" + home.resolve("staging"),
                        "--ginkgo.v",
                        "--ginkgo.no-color"))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            int code = process.waitFor();
            String said = Files.readString(output);
            assertThat(code).as(said).isZero();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }

    private static void passes(String said) {
        Matcher result = RESULT.matcher(said);
        assertThat(result.find()).as(said).isTrue();
        assertThat(Integer.parseInt(result.group(2))).as(said).isGreaterThan(70);
        assertThat(result.group(3)).as(said).isEqualTo("0");
        List<String> why = SKIPPED.matcher(said)
                .results()
                .map(found -> found.group(1).strip())
                .filter(reason -> reason.endsWith("not supported"))
                .toList();
        assertThat(LEFT_OUT).containsAll(why);
        assertThat(why).hasSize(Integer.parseInt(result.group(5)));
    }

    private void sanity(boolean isStaged) throws Exception {
        Optional<Path> sanity = program();
        assumeTrue(
                sanity.isPresent(),
                "no csi-sanity: run 'bin/test-servers DIR', which builds it by Go 1.25 or newer, and give -Dpacking.servers=DIR/bin");
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        try (CsiRig rig = CsiRig.withWorker(home)) {
            try (CsiDriver stager = rig.startDriver("stager.sock", CsiRig.BASE, CsiPart.STAGER, Optional.empty())) {
                if (isStaged) {
                    rig.restartDriver(Optional.of(stager.socket()));
                }
                passes(run(sanity.get(), home, rig.socket()));
            } finally {
                for (KernelMountTable.Entry each : KernelMountTable.entries()) {
                    if (each.directory().startsWith(home.toRealPath())) {
                        KernelMountTable.unmount(each.directory());
                    }
                }
            }
        }
    }

    @Test
    void theDriverPassesTheSuiteOfKubernetes() throws Exception {
        sanity(false);
    }

    @Test
    void aDriverBesideAStagerPassesTheSuiteOfKubernetes() throws Exception {
        sanity(true);
    }
}
