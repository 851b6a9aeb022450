// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.registry.access.Access;
import io.packing.registry.cache.LayerCacheOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reads of a local user without rights in the directories of a master, a worker and a registry. */
@Timeout(120)
@Tag("process")
class OrdinaryUserTest {
    private static final String NOBODY = "65534";

    @TempDir
    private Path home;

    /** Returns the paths below the home that an ordinary user can read. */
    private List<String> readable() throws IOException, InterruptedException {
        Process find = new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + NOBODY,
                        "--regid=" + NOBODY,
                        "--clear-groups",
                        "find",
                        home.toString(),
                        "-mindepth",
                        "1",
                        "-readable")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String found = new String(find.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        // It ends with 1 when there was a directory that it could not enter.
        assertThat(find.waitFor()).isLessThan(2);
        return found.lines().toList();
    }

    private static boolean canBecomeAnotherUser() {
        try {
            return new ProcessBuilder("setpriv", "--reuid=" + NOBODY, "--clear-groups", "true")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void nothingBelowTheDirectoriesOfDaemonsIsReadableForOtherUsers() throws Exception {
        assumeTrue(canBecomeAnotherUser(), "run this as root, with setpriv of util-linux");
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path shown = Files.writeString(home.resolve("shown"), "text");
        Files.setPosixFilePermissions(shown, PosixFilePermissions.fromString("rw-r--r--"));
        assumeTrue(readable().contains(shown.toString()), "set java.io.tmpdir to a directory that all users may enter");
        Path cache = home.resolve("cache");
        // As an older version left it.
        Files.createDirectories(home.resolve("master"));
        Files.createDirectories(home.resolve("buffer"));
        RegistryOptions config = TestRegistries.config("/registry", true)
                .withCache(Optional.of(new LayerCacheOptions(cache, 1 << 20, LayerCacheOptions.Users.ADDRESS)));
        try (TestMount mount = TestMount.start(home);
                RegistryServer server =
                        RegistryServer.start(config, mount.files(), Access.OPEN, new SimpleMeterRegistry())) {
            RegistryClient client = new RegistryClient(server.uri());
            byte[] layer = new TestTar().file("secret", new byte[5_000]).end();
            assertThat(client.push("a", layer).statusCode()).isEqualTo(201);
            server.awaitPushed();
            assertThat(client.pull("a", RegistryClient.digest(layer)).body()).isEqualTo(layer);
            for (String daemon : List.of("master", "buffer", "cache")) {
                assertThat(home.resolve(daemon)).isNotEmptyDirectory();
                assertThat(readable())
                        .as(daemon)
                        .noneMatch(path -> path.startsWith(home.resolve(daemon).toString()));
            }
        }
    }
}
