// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.guarded;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.fuzz.battle.Finds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test with servers that follow a planted link, and one that refuses it. */
final class PlantedLinkTest {
    @TempDir
    private Path home;

    @Test
    void aServerThatWritesThroughALinkIsFoundAlsoWhenItFailsLater() throws IOException {
        Path canary = Files.createDirectory(home.resolve("canary"));
        Path link = Files.createSymbolicLink(home.resolve("buffer"), canary);
        Finds finds = new Finds();
        Locals.starts(finds, canary, "a server that refuses", () -> {
            throw new IOException(link + " is another user's");
        });
        assertThat(finds.all()).isEmpty();
        Locals.starts(finds, canary, "a server that follows", () -> {
            Path unused = Files.createFile(link.resolve("LOCK"));
            throw new IOException("and fails");
        });
        assertThat(finds.all())
                .extracting(Finds.Find::what)
                .singleElement()
                .asString()
                .startsWith("a server that follows follows the link of an ordinary user");
    }
}
