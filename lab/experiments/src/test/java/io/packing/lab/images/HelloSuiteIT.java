// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.cli.launch.Narrator;
import io.packing.fuse.mount.FuseMount;
import io.packing.storeservers.NetworkLink;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HelloBench with real depth, whole and small: a program and a server of packages. */
@Timeout(900)
@Tag("experiment")
class HelloSuiteIT {
    @TempDir
    private Path home;

    @Test
    void aRunGoesOnBehindTheImagesThatItHas() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        for (String program : List.of("docker-registry", "unshare", "apt-get", "dpkg-deb")) {
            try {
                HostPrograms.check(program, "");
            } catch (IllegalArgumentException e) {
                assumeTrue(false, "it needs %s: apt-get install docker-registry util-linux".formatted(program));
            }
        }
        HelloSuiteResult one = run("hello");
        assertThat(one.failed()).isEmpty();
        assertThat(one.images()).isEqualTo(1);
        byte[] log = Files.readAllBytes(home.resolve(HelloSuite.LOG));
        HelloSuiteResult two = run("hello", "memcached");
        assertThat(two.failed()).isEmpty();
        assertThat(two.images()).isEqualTo(2);
        assertThat(two.starts().subList(0, 2)).isEqualTo(one.starts());
        assertThat(Files.readAllBytes(home.resolve(HelloSuite.LOG))).startsWith(log);
        assertThat(two.starts()).hasSize(4).allSatisfy(start -> {
            assertThat(start.facts().layers()).isGreaterThanOrEqualTo(4);
            assertThat(start.own().readBytes()).isPositive();
        });
    }

    private HelloSuiteResult run(String... names) throws Exception {
        return new HelloSuite(Map.of(), Set.of(names), home, NetworkLink.NONE, new Narrator(true)).run();
    }
}
