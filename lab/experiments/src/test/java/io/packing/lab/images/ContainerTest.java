// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.process.Await;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContainerTest {
    @TempDir
    Path logs;

    @Test
    void aServerThatChangedItsUserIsGoneWhenItsContainerIsClosed() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "namespaces need root");
        List<ProcessHandle> all;
        try (Container container = Container.start(
                Path.of("/"), logs.resolve("log"), Map.of(), "exec chroot --userspec=65534:65534 / sleep 600")) {
            Await.until(
                    "the server runs", () -> container.process().descendants().anyMatch(ContainerTest::isServer));
            all = container.process().descendants().toList();
        }

        assertThat(all).isNotEmpty();
        Await.until(
                "all processes of the container are gone", () -> all.stream().noneMatch(ProcessHandle::isAlive));
    }

    private static boolean isServer(ProcessHandle process) {
        return process.info().command().orElse("").endsWith("/sleep");
    }
}
