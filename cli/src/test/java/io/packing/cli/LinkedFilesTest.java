// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.bdt.tree.TreeDiff;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on files that have several names: they are one file before and after. */
@Timeout(120)
class LinkedFilesTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(Files.createDirectory(directory.resolve("one")));
        mount.write("/d/a", new byte[] {1, 2, 3});
        mount.write("/d/other", new byte[] {4});
        Path vector = Files.writeString(directory.resolve("vector"), """
                {"operations": [{"link": {"source": "/d/a", "destination": "/d/b"}},
                                {"mkdir": {"path": "/d/e"}},
                                {"link": {"source": "/d/b", "destination": "/d/e/c"}}]}
                """);
        CommandRun run = mount.run("vector", vector.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        mount.flush();
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private static FileStatus stat(CommandMount on, String path) throws IOException {
        return on.bdt().stat(new FilePath(path)).orElseThrow();
    }

    private static void areOneFile(CommandMount on, String top) throws IOException {
        for (String name : List.of("/a", "/b", "/e/c")) {
            assertThat(stat(on, top + name).version())
                    .isEqualTo(stat(on, top + "/a").version());
            assertThat(stat(on, top + name).extras().links()).isEqualTo(3);
            assertThat(on.read(top + name)).containsExactly(1, 2, 3);
        }
        assertThat(stat(on, top + "/other").extras().links()).isEqualTo(1);
    }

    private JsonNode json(CommandMount on, int exitCode, String command, String... words) throws IOException {
        CommandRun run = on.run(command + " --json", words);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        return new ObjectMapper().readTree(run.out());
    }

    private void apply(Operation... operations) throws IOException {
        assertThat(mount.bdt().apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    @Test
    void aDumpHasThemAndALoadMakesThem() throws IOException {
        Path dump = directory.resolve("dump");
        json(mount, ExitCodes.OK, "dump", dump.toString(), "--path", "/d");
        JsonNode loaded = json(mount, ExitCodes.OK, "load", dump.toString(), "--into", "/again");
        assertThat(loaded.get("files").asLong()).isEqualTo(4);
        areOneFile(mount, "/again");
        areOneFile(mount, "/d");
        assertThat(json(mount, ExitCodes.OK, "load", dump.toString(), "--into", "/again")
                        .get("there")
                        .asLong())
                .isEqualTo(4);
        try (CommandMount other = CommandMount.start(Files.createDirectory(directory.resolve("two")))) {
            json(other, ExitCodes.OK, "load", "--copy-bytes", dump.toString(), "--into", "/d");
            areOneFile(other, "/d");
            other.write("/d/b", new byte[] {9});
            json(other, ExitCodes.FAILED, "load", "--copy-bytes", dump.toString(), "--into", "/d");
            json(other, ExitCodes.OK, "load", "--copy-bytes", "--overwrite", dump.toString(), "--into", "/d");
            areOneFile(other, "/d");
        }
    }

    @Test
    void aCloneAndItsOriginAreDifferentFilesInADumpToo() throws IOException {
        apply(new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/same")));
        apply(
                new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/changed")),
                new Operation.Truncate(new FilePath("/changed/b"), 2));
        assertThat(json(mount, ExitCodes.OK, "fsck").get("damage")).isEmpty();
        Path dump = directory.resolve("dump");
        json(mount, ExitCodes.OK, "dump", dump.toString());
        json(mount, ExitCodes.OK, "load", dump.toString(), "--into", "/again");
        areOneFile(mount, "/again/d");
        areOneFile(mount, "/again/same");
        assertThat(stat(mount, "/again/same/a").version())
                .isNotEqualTo(stat(mount, "/again/d/a").version());
        for (String top : List.of("/changed", "/again/changed")) {
            for (String name : List.of("/a", "/b", "/e/c")) {
                assertThat(mount.read(top + name)).containsExactly(1, 2);
                assertThat(stat(mount, top + name).version())
                        .isEqualTo(stat(mount, top + "/a").version());
                assertThat(stat(mount, top + name).extras().links()).isEqualTo(3);
            }
        }
        assertThat(json(mount, ExitCodes.OK, "fsck").get("damage")).isEmpty();
    }

    @Test
    void aRestoreMakesThemAgain() throws IOException {
        apply(new Operation.TakeSnapshot(new FilePath("/d"), "s"));
        FilePath before = new FilePath("/d/.snapshot/s");
        apply(new Operation.Rename(new FilePath("/d/a"), new FilePath("/d/x"), false));
        apply(new Operation.Rename(new FilePath("/d/b"), new FilePath("/d/y"), false));
        assertThat(TreeDiff.between(mount.bdt(), before, new FilePath("/d")))
                .as("two names were renamed")
                .hasSize(2)
                .allMatch(each -> each.from().isPresent());
        assertThat(mount.deleteFailure("/d/x")).isEmpty();
        assertThat(mount.deleteFailure("/d/y")).isEmpty();
        assertThat(mount.deleteFailure("/d/e")).isEmpty();
        CommandRun run = mount.run("snapshot restore", "/d", "s");
        assertThat(run.exitCode()).as(run.err()).isZero();
        areOneFile(mount, "/d");
    }

    private void loseBlobs() throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve("one/store").resolve(BlobName.FOLDER))) {
            for (Path blob : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                Files.delete(blob);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRepairMovesAlsoNamesThatClonesHaveOfADamagedFile(boolean changed) throws IOException {
        apply(new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/same")));
        apply(new Operation.CloneDirectory(new FilePath("/d"), new FilePath("/other")));
        if (changed) {
            apply(new Operation.Truncate(new FilePath("/other/b"), 2));
        }
        loseBlobs();
        List<String> names = Stream.of("/d", "/same", "/other")
                .flatMap(top -> Stream.of("/a", "/b", "/e/c").map(top::concat))
                .toList();
        assertThat(json(mount, ExitCodes.CORRUPT, "fsck").get("damage").findValuesAsText("path"))
                .containsAll(names)
                .doesNotHaveDuplicates();
        CommandRun repaired = mount.run("fsck", "--repair", "--yes");
        for (String name : names) {
            assertThat(mount.has(name)).as("%s: %s", name, repaired.err()).isFalse();
        }
        CommandRun unused = mount.run("fsck", "--repair", "--yes");
        assertThat(json(mount, ExitCodes.OK, "fsck").get("damage")).isEmpty();
    }

    @Test
    void aCheckIsSoundAndTellsDamageAtEachName() throws IOException {
        assertThat(json(mount, ExitCodes.OK, "fsck", "--verify").get("damage")).isEmpty();
        loseBlobs();
        CommandRun run = mount.run("fsck --json");
        JsonNode damage = new ObjectMapper().readTree(run.out()).get("damage");
        assertThat(damage.findValuesAsText("path")).contains("/d/a", "/d/b", "/d/e/c", "/d/other");
        assertThat(damage.findValuesAsText("path")).noneMatch(path -> path.startsWith("/.reserved"));
        CommandRun repaired = mount.run("fsck", "--repair", "--yes");
        assertThat(mount.has("/d/a")).as(repaired.err()).isFalse();
        assertThat(mount.has("/d/e/c")).isFalse();
    }
}
