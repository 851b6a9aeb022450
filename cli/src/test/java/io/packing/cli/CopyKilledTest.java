// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.seed.Seed;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies whose process is killed in the middle, and that are run again. */
@Timeout(300)
@Tag("hunt")
class CopyKilledTest {
    private static final int SMALL = 1_500 * Integer.getInteger("packing.rounds", 1);
    private static final int HEAP_MB = 256;
    private static final Duration LONG = Duration.ofMinutes(2);
    private static final Path IN_MOUNT = Path.of("/to");

    @TempDir
    private Path home;

    private final Map<String, byte[]> tree = new TreeMap<>();

    private Path tree() throws IOException {
        Random random = new Random(Seed.value());
        Path top = home.resolve("tree");
        for (int i = 0; i < SMALL; i++) {
            file(top, "d%d/f%d".formatted(i % 40, i), random, random.nextInt(300));
        }
        // More than one that is held in memory.
        file(top, "d20/large", random, 5 << 20);
        file(top, "d30/large", random, 6 << 20);
        return top;
    }

    private void file(Path top, String name, Random random, int length) throws IOException {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        Path file = top.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_600_000_000_123L + length));
        tree.put(name, bytes);
    }

    private static long time(byte[] bytes) {
        return 1_600_000_000_123L + bytes.length;
    }

    private static Optional<FileStatus> stat(CommandMount mount, String name) throws IOException {
        return mount.bdt().stat(new FilePath(IN_MOUNT.resolve(name).toString()));
    }

    private static List<String> words(CommandMount mount, Path from) {
        return List.of(
                "copy",
                from.toString(),
                "packing://" + mount.master() + IN_MOUNT,
                "--json",
                "--threads",
                "4",
                "--option",
                "packing.store=" + mount.store());
    }

    @Test
    void aCopyThatWasKilledGoesOnAndSendsNothingAgain() throws Exception {
        Path from = tree();
        try (CommandMount mount = CommandMount.start(home)) {
            JavaCommand command = new JavaCommand(
                    "copy",
                    Main.class.getName(),
                    List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)),
                    HEAP_MB,
                    Map.of(),
                    words(mount, from));
            try (JavaProcess copy = JavaProcess.start(command, home.resolve("logs"))) {
                copy.await(
                        "has not copied enough",
                        LONG,
                        () -> mount.bdt().statistics().files() > 100);
                copy.kill();
            }
            Map<String, String> done = new TreeMap<>();
            for (Map.Entry<String, byte[]> file : tree.entrySet()) {
                Optional<FileStatus> there = stat(mount, file.getKey());
                if (there.isPresent() && there.get().attributes().mtimeMillis() == time(file.getValue())) {
                    done.put(file.getKey(), there.get().version().toString());
                }
            }
            assertThat(done).hasSizeBetween(50, tree.size() - 1);

            CommandRun again = CommandRun.of(words(mount, from).toArray(String[]::new));
            assertThat(again.exitCode()).as(again.err() + again.out()).isEqualTo(ExitCodes.OK);
            JsonNode told = new ObjectMapper().readTree(again.out());
            assertThat(told.get("there").asInt()).isBetween(done.size(), tree.size() - 1);
            assertThat(told.get("files").asInt() + told.get("there").asInt()).isEqualTo(tree.size());
            for (Map.Entry<String, String> file : done.entrySet()) {
                assertThat(stat(mount, file.getKey()).orElseThrow().version().toString())
                        .as("%s, which was done", file.getKey())
                        .isEqualTo(file.getValue());
            }
            for (Map.Entry<String, byte[]> file : tree.entrySet()) {
                assertThat(mount.read(IN_MOUNT.resolve(file.getKey()).toString()))
                        .as(file.getKey())
                        .isEqualTo(file.getValue());
                assertThat(stat(mount, file.getKey()).orElseThrow().attributes().mtimeMillis())
                        .as("time of %s", file.getKey())
                        .isEqualTo(time(file.getValue()));
            }
            // Nothing of a copy under way is left.
            assertThat(mount.bdt().statistics().files()).isEqualTo(tree.size());
        }
    }

    @Test
    void aFileThatWasKilledBetweenItsBytesAndItsTimeIsThere() throws Exception {
        Path from = home.resolve("one");
        for (int i = 0; i < 3; i++) {
            file(from, "f" + i, new Random(Seed.value() + i), 100);
        }
        try (CommandMount mount = CommandMount.start(home)) {
            mount.write("/to/f0", Objects.requireNonNull(tree.get("f0")));
            mount.write("/to/f1", new byte[100]);
            CommandRun run = CommandRun.of(words(mount, from).toArray(String[]::new));
            assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
            JsonNode told = new ObjectMapper().readTree(run.out());
            assertThat(told.get("there").asInt()).isEqualTo(1);
            assertThat(told.get("files").asInt()).isEqualTo(1);
            assertThat(told.get("refused").get(0).get("path").asText()).endsWith("/f1");
            assertThat(stat(mount, "f0").orElseThrow().attributes().mtimeMillis())
                    .isEqualTo(time(Objects.requireNonNull(tree.get("f0"))));
            assertThat(mount.read("/to/f1")).isEqualTo(new byte[100]);
        }
    }
}
