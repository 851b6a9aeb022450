// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code packing fsck} names a file whose bytes are cut off under every path that shows it, and no path that can be read. */
@Timeout(300)
class FsckPathsTest {
    private static final int FILES = 12;
    private static final int CUTS = 6;
    /** The kinds of damage of a file that cannot be read. */
    private static final Set<String> UNREADABLE = Set.of("missing", "short");

    @TempDir
    private Path directory = Path.of("");

    private final Random random = Seed.random();

    private static void all(CommandMount mount, FilePath top, Set<String> files) throws IOException {
        for (FileStatus each : mount.bdt().list(top, "", 1_000).orElseThrow()) {
            if (each.isDirectory()) {
                all(mount, each.path(), files);
            } else {
                files.add(each.path().value());
            }
        }
    }

    private static Set<String> paths(CommandMount mount) throws IOException {
        Set<String> files = new TreeSet<>();
        all(mount, FilePath.ROOT, files);
        all(mount, new FilePath("/d/.snapshot/before"), files);
        all(mount, new FilePath("/clone/.snapshot/later"), files);
        return files;
    }

    private static Set<String> unreadable(CommandMount mount) throws IOException {
        Set<String> failed = new TreeSet<>();
        for (String path : paths(mount)) {
            try {
                byte[] unused = mount.read(path);
            } catch (IOException e) {
                failed.add(path);
            }
        }
        return failed;
    }

    private static Set<String> named(CommandMount mount) throws IOException {
        CommandRun run = mount.run("fsck --json");
        JsonNode result = new ObjectMapper().readTree(run.out());
        Set<String> named = new TreeSet<>();
        for (JsonNode each : result.get("damage")) {
            if (UNREADABLE.contains(each.get("kind").asText())) {
                named.add(each.get("path").asText());
            }
        }
        return named;
    }

    private Path write(Map<String, String> options) throws IOException {
        try (CommandMount mount = CommandMount.start(directory, options)) {
            for (int i = 0; i < FILES; i++) {
                // Alike, so that a dictionary pays.
                byte[] bytes = ("packing packs small files into large blobs ".repeat(200) + random.nextLong())
                        .getBytes(StandardCharsets.UTF_8);
                mount.write("/d/e/f" + i, bytes);
            }
            mount.flush();
            assertThat(mount.run("snapshot create", "/d", "before").exitCode()).isZero();
            assertThat(mount.run("clone", "/d", "/clone").exitCode()).isZero();
            assertThat(mount.run("snapshot create", "/clone", "later").exitCode())
                    .isZero();
            // One that is over in the present, one of which a file has another name, one that was changed in the clone.
            assertThat(mount.deleteFailure("/d/e/f0")).isEmpty();
            assertThat(mount.run("clone", "/d/e/f1", "/single").exitCode()).isZero();
            assertThat(mount.deleteFailure("/clone/e/f2")).isEmpty();
            try (Stream<Path> blobs = Files.walk(directory.resolve("store/blobs"))) {
                return blobs.filter(Files::isRegularFile)
                        .max((one, other) -> Long.compare(
                                one.toFile().length(), other.toFile().length()))
                        .orElseThrow();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "zstd"})
    void whatCannotBeReadAfterACutIsNamedUnderAllItsPaths(String compression) throws IOException {
        Map<String, String> options = Map.of("packing.compression", compression);
        Path blob = write(options);
        byte[] whole = Files.readAllBytes(blob);
        for (int i = 0; i < CUTS; i++) {
            Files.write(blob, Arrays.copyOf(whole, random.nextInt(whole.length)));
            // Nothing is cached.
            try (CommandMount mount = CommandMount.start(directory, options)) {
                String context = "cut to %d of %d bytes".formatted(Files.size(blob), whole.length);
                assertThat(named(mount)).as(context).isEqualTo(unreadable(mount));
            }
        }
    }
}
