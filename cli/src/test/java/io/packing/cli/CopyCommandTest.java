// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of local trees to mounts and back. */
@Timeout(180)
class CopyCommandTest {
    private static final int SMALL = 300;
    /** More than one that is held in memory. */
    private static final int LARGE = 5 << 20;

    @TempDir
    private Path home;

    private static byte[] bytes(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(Seed.value() + seed).nextBytes(bytes);
        return bytes;
    }

    private Path tree() throws IOException {
        Path top = home.resolve("tree");
        for (int i = 0; i < SMALL; i++) {
            file(top.resolve("d%d/e/f%d".formatted(i % 7, i)), bytes(i, i));
        }
        file(top.resolve("a:b c%20é/x#y?z"), bytes(1_000, 10));
        file(top.resolve("large"), bytes(1_001, LARGE));
        Files.createDirectories(top.resolve("empty"));
        return top;
    }

    private static void file(Path file, byte[] bytes) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_600_000_000_123L + bytes.length));
    }

    private static CommandRun copy(CommandMount mount, String from, String to, String... more) {
        List<String> words =
                new ArrayList<>(List.of("copy", from, to, "--json", "--option", "packing.store=" + mount.store()));
        words.addAll(List.of(more));
        return CommandRun.of(words.toArray(String[]::new));
    }

    private static JsonNode told(CommandRun run) throws IOException {
        assertThat(run.out()).as(run.err()).isNotEmpty();
        return new ObjectMapper().readTree(run.out());
    }

    /** Returns bytes and times of a tree's files, by path. */
    private static Map<String, String> content(Path top) throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(top)) {
            for (Path path : walk.toList()) {
                all.put(
                        top.relativize(path).toString(),
                        Files.isDirectory(path)
                                ? "directory"
                                : Files.getLastModifiedTime(path).toMillis() + " "
                                        + HexFormat.of().formatHex(Files.readAllBytes(path)));
            }
        }
        return all;
    }

    /** Hadoop's local file system runs {@code ls} or {@code chmod} for each file: two thirds of the processor time of a copy. */
    @Test
    void modesGoToAMountAndComeBackWithoutAProcessForAFile() throws Exception {
        Path tree = home.resolve("tree");
        file(tree.resolve("d/private"), bytes(1, 100));
        file(tree.resolve("d/open"), bytes(2, 100));
        Files.setPosixFilePermissions(tree.resolve("d/private"), PosixFilePermissions.fromString("rw-r-----"));
        Files.setPosixFilePermissions(tree.resolve("d/open"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(tree.resolve("d"), PosixFilePermissions.fromString("rwxr-x---"));
        Path recorded = home.resolve("processes.jfr");
        try (CommandMount mount = CommandMount.start(home);
                Recording recording = new Recording()) {
            recording.enable("jdk.ProcessStart");
            recording.start();
            String there = "packing://" + mount.master() + "/modes";
            Path back = home.resolve("back");
            for (CommandRun run : List.of(copy(mount, tree.toString(), there), copy(mount, there, back.toString()))) {
                assertThat(run.exitCode()).as(run.err() + run.out()).isEqualTo(ExitCodes.OK);
            }
            recording.stop();
            recording.dump(recorded);
            for (String path : List.of("d", "d/private", "d/open")) {
                assertThat(Files.getPosixFilePermissions(back.resolve(path)))
                        .as(path)
                        .isEqualTo(Files.getPosixFilePermissions(tree.resolve(path)));
            }
        }
        assertThat(RecordingFile.readAllEvents(recorded).stream()
                        .map(event -> event.getString("command"))
                        .filter(command -> command.matches("(?:\\S*/)?(?:ls|stat|chmod)\\b.*")))
                .isEmpty();
    }

    @Test
    void aTreeGoesToAMountAndComesBackAsItWas() throws Exception {
        Path tree = tree();
        try (CommandMount mount = CommandMount.start(home)) {
            String there = "packing://" + mount.master() + "/in/here";
            CommandRun run = copy(mount, tree.toString(), there, "--checksum");
            assertThat(run.exitCode()).as(run.err() + run.out()).isEqualTo(ExitCodes.OK);
            JsonNode first = told(run);
            assertThat(first.get("files").asLong()).isEqualTo(SMALL + 2);
            assertThat(first.get("directories").asLong()).isEqualTo(1 + 14 + 2);
            assertThat(first.get("bytes").asLong()).isEqualTo(SMALL * (SMALL - 1) / 2 + 10 + LARGE);
            assertThat(first.get("failed").asLong()).isZero();

            JsonNode again = told(copy(mount, tree.toString(), there));
            assertThat(again.get("files").asLong()).isZero();
            assertThat(again.get("there").asLong()).isEqualTo(SMALL + 2);

            // What an earlier copy, which was killed, left behind.
            Path back = home.resolve("back");
            file(back.resolve("large._COPYING_"), bytes(5, 100));
            CommandRun out = copy(mount, there, back.toString());
            assertThat(out.exitCode()).as(out.err() + out.out()).isEqualTo(ExitCodes.OK);
            assertThat(content(back)).isEqualTo(content(tree));
        }
    }

    @Test
    void whatCannotBeCopiedIsListedAndTheRestGoesOn() throws Exception {
        Path tree = home.resolve("tree");
        file(tree.resolve("good"), bytes(1, 10));
        file(tree.resolve("d/.snapshot/never"), bytes(2, 10));
        file(tree.resolve("d/good"), bytes(3, 10));
        Files.createSymbolicLink(tree.resolve("circle"), tree);
        try (CommandMount mount = CommandMount.start(home)) {
            mount.write("/to/good", bytes(4, 20));
            CommandRun run = copy(mount, tree.toString(), "packing://" + mount.master() + "/to");
            assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
            JsonNode told = told(run);
            assertThat(told.get("files").asLong()).isEqualTo(1);
            assertThat(told.get("failed").asLong()).isEqualTo(3);
            Map<String, String> refused = new TreeMap<>();
            told.get("refused")
                    .forEach(each -> refused.put(
                            Path.of(each.get("path").asText()).getFileName().toString(),
                            each.get("why").asText()));
            assertThat(refused).hasSize(3);
            assertThat(refused.get("circle")).contains("symbolic link");
            assertThat(refused.get("good")).contains("--overwrite");
            assertThat(refused.get(".snapshot")).contains("snapshot");
            assertThat(mount.read("/to/d/good")).isEqualTo(bytes(3, 10));
            assertThat(mount.read("/to/good")).isEqualTo(bytes(4, 20));
            assertThat(copy(mount, tree.toString(), "packing://" + mount.master() + "/to", "--overwrite")
                            .exitCode())
                    .isEqualTo(ExitCodes.FAILED);
            assertThat(mount.read("/to/good")).isEqualTo(bytes(1, 10));
        }
    }

    @Test
    void aFileWithOtherBytesIsFoundByItsChecksumOnly() throws Exception {
        Path file = home.resolve("one");
        file(file, bytes(1, 100));
        try (CommandMount mount = CommandMount.start(home)) {
            String to = "packing://" + mount.master() + "/one";
            assertThat(copy(mount, file.toString(), to).exitCode()).isEqualTo(ExitCodes.OK);
            file(file, bytes(2, 100));
            assertThat(told(copy(mount, file.toString(), to)).get("there").asLong())
                    .isEqualTo(1);
            assertThat(copy(mount, file.toString(), to, "--checksum").exitCode())
                    .isEqualTo(ExitCodes.FAILED);
            CommandRun replaced = copy(mount, file.toString(), to, "--checksum", "--overwrite");
            assertThat(replaced.exitCode()).isEqualTo(ExitCodes.OK);
            assertThat(mount.read("/one")).isEqualTo(bytes(2, 100));
        }
    }

    @Test
    void aMasterThatDoesNotAnswerAndASourceThatIsNotThereAreNamed() throws Exception {
        Path tree = tree();
        CommandRun gone = CommandRun.of(
                "copy",
                tree.toString(),
                "packing://127.0.0.1:1/x",
                "--option",
                "packing.store=" + tree.toUri(),
                "--option",
                "packing.master.timeout=100ms");
        assertThat(gone.exitCode()).as(gone.err()).isEqualTo(ExitCodes.UNAVAILABLE);
        assertThat(gone.err()).contains("127.0.0.1:1");
        CommandRun none = CommandRun.of(
                "copy", home.resolve("none").toString(), home.resolve("x").toString());
        assertThat(none.exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
        CommandRun inside =
                CommandRun.of("copy", tree.toString(), tree.resolve("d1/copy").toString());
        assertThat(inside.exitCode()).isEqualTo(ExitCodes.USAGE);
    }
}
