// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.Quota;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing fsck --repair} on quotas whose counts are damaged: they are right afterwards, at all levels, and stay so. */
@Timeout(180)
class FsckQuotaTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
        mount.write("/a/one", new byte[100]);
        mount.write("/a/b/two", new byte[10]);
        mount.write("/a/b/c/three", new byte[1]);
        mount.write("/other/four", new byte[5]);
        mount.flush();
        for (String limited : List.of("/a", "/a/b/c", "/other", "/")) {
            assertThat(mount.run("quota set", "--names", "100", "--bytes", "1MB", limited)
                            .exitCode())
                    .isZero();
        }
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private interface Damaging {
        void run(TableSurgery table) throws IOException;
    }

    private void damage(Damaging damaging) throws IOException {
        mount.close();
        try (TableSurgery table = TableSurgery.open(directory.resolve("bdt"))) {
            damaging.run(table);
        }
        mount = CommandMount.start(directory);
    }

    private JsonNode fsck(int exitCode, String... words) throws IOException {
        CommandRun run = mount.run("fsck --json", words);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        return new ObjectMapper().readTree(run.out());
    }

    private void counts(String path, long names, long bytes) throws IOException {
        Quota quota = mount.bdt().quota(new FilePath(path)).orElseThrow();
        assertThat(List.of(quota.names(), quota.bytes())).as(path).containsExactly(names, bytes);
        assertThat(quota.mostNames()).hasValue(100);
        assertThat(quota.mostBytes()).hasValue(1 << 20);
    }

    private void allCountsAreRight() throws IOException {
        counts("/a", 6, 111);
        counts("/a/b/c", 2, 1);
        counts("/other", 2, 5);
        counts("/", 9, 116);
    }

    private void isRepaired(String... told) throws IOException {
        assertThat(fsck(ExitCodes.CORRUPT).get("damage").findValuesAsText("path"))
                .contains(told);
        CommandRun asked = mount.run("fsck", "--repair");
        assertThat(asked.exitCode()).isEqualTo(ExitCodes.USAGE);
        for (String path : told) {
            assertThat(asked.err()).contains("would count the quota of %s anew".formatted(path));
        }
        JsonNode repaired = fsck(ExitCodes.CORRUPT, "--repair", "--yes").get("repaired");
        assertThat(repaired.get("kept").asLong()).isZero();
        assertThat(repaired.get("moved").asLong()).isZero();
        allCountsAreRight();
        assertThat(fsck(ExitCodes.OK, "--repair", "--yes").get("damage")).isEmpty();
        // The counts go on from there.
        mount.write("/a/b/c/five", new byte[7]);
        counts("/a/b/c", 3, 8);
        counts("/", 10, 123);
        assertThat(fsck(ExitCodes.OK).get("damage")).isEmpty();
    }

    @Test
    void countsOfUndamagedQuotasAreSound() throws IOException {
        allCountsAreRight();
        assertThat(fsck(ExitCodes.OK).get("damage")).isEmpty();
    }

    @Test
    void oneQuotaThatCountsTooMuchIsCountedAnew() throws IOException {
        damage(table -> table.changeQuota("/other", 5, 5_000));
        isRepaired("/other");
    }

    @Test
    void theLowestQuotaIsCountedFirst() throws IOException {
        damage(table -> table.changeQuota("/a/b/c", -1, 77));
        isRepaired("/a/b/c");
    }

    /** A master of before quotas has let files through: all of them lack the same, and so agree with each other. */
    @Test
    void quotasAboveOneThatCountsWrongAreCountedToo() throws IOException {
        damage(table -> {
            for (String each : List.of("/a/b/c", "/a", "/")) {
                table.changeQuota(each, -1, -1);
            }
        });
        assertThat(fsck(ExitCodes.CORRUPT).get("damage").findValuesAsText("path"))
                .containsExactly("/a/b/c");
        isRepaired("/a/b/c");
    }

    @Test
    void countsThatAreLessThanNothingAreCountedAnew() throws IOException {
        damage(table -> {
            table.changeQuota("/", -1_000, -1_000_000);
            table.changeQuota("/a", 1L << 40, 1L << 60);
        });
        isRepaired("/", "/a");
    }

    /** Without the repair a directory is full that has hardly anything. */
    @Test
    void aDirectoryThatCountedAsFullTakesFilesAgain() throws IOException {
        damage(table -> table.changeQuota("/other", 98, 0));
        assertThat(mount.run("clone", "/other/four", "/other/copy").err()).contains("is exceeded");
        fsck(ExitCodes.CORRUPT, "--repair", "--yes");
        assertThat(mount.run("clone", "/other/four", "/other/copy").exitCode()).isZero();
        counts("/other", 3, 10);
    }
}
