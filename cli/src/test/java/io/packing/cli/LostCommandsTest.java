// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerActivity;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each command that shows a mount shows its lost files, until a repair has moved them away. */
@Timeout(120)
class LostCommandsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final WorkerRegistration GONE = new WorkerRegistration("gone", "127.0.0.1:1");

    @TempDir
    private Path home;

    @BeforeAll
    static void setHome() {
        System.setProperty(
                "packing.home", Path.of("..").toAbsolutePath().normalize().toString());
    }

    /** A worker claims a file, and begins anew without it. */
    private static void lose(CommandMount mount, String path) throws IOException {
        WorkerSession before = mount.bdt().register(GONE);
        FileAttributes attributes = new FileAttributes(7, 0, "hdfs", "hadoop", 0644);
        assertThat(before.claim(new Claim(before.newFileId(), new FilePath(path), attributes, true, true))
                        .join())
                .isInstanceOf(ClaimResult.Granted.class);
        WorkerSession after = mount.bdt().register(GONE);
        after.reclaimed();
        // A flush need not look for it.
        assertThat(after.heartbeat(
                                new Heartbeat(0, 0, List.of(), List.of(), WorkerActivity.NONE, Heartbeat.Presence.LEFT))
                        .sealNow())
                .isFalse();
    }

    private static CommandRun mounts(CommandMount mount, String... more) {
        return CommandRun.of(Stream.concat(Stream.of("mounts", "--master", mount.master()), Stream.of(more))
                .toArray(String[]::new));
    }

    @Test
    void lostFilesAreToldUntilARepairHasMovedThemAway() throws Exception {
        try (CommandMount mount = CommandMount.start(home)) {
            mount.write("/d/kept", new byte[100]);
            assertThat(mounts(mount).exitCode()).isEqualTo(ExitCodes.OK);
            lose(mount, "/d/lost");
            JsonNode told = JSON.readTree(mounts(mount, "--json").out()).get(0);
            while (told.get("lost_paths").isEmpty()) {
                told = JSON.readTree(mounts(mount, "--json").out()).get(0);
            }
            assertThat(told.get("lost_paths").get(0).asText()).isEqualTo("/d/lost");
            assertThat(told.get("lost_files").asLong()).isEqualTo(1);
            assertThat(told.get("lost_bytes").asLong()).isEqualTo(7);
            assertThat(told.get("buffered_files").asLong()).isEqualTo(1);
            assertThat(told.get("problem").asText()).contains("1 files are lost", "packing fsck");
            CommandRun text = mounts(mount);
            assertThat(text.exitCode()).isEqualTo(ExitCodes.CORRUPT);
            assertThat(text.out()).contains("LOST: 1 files of 7 bytes", "    /d/lost", "PROBLEM: ");
            CommandRun top = CommandRun.of("top", "--count", "1", "--master", mount.master());
            assertThat(top.out()).contains("1 files are lost");

            CommandRun flush = mount.run("flush");
            assertThat(flush.exitCode()).as(flush.err()).isEqualTo(ExitCodes.CORRUPT);
            assertThat(flush.out())
                    .contains(
                            "0 files are buffered now", "1 files are lost and wait no more: 'packing fsck' names them");

            assertThat(mount.run("fsck").out()).contains("lost /d/lost");
            assertThat(mount.run("fsck", "--repair", "--yes").exitCode()).isEqualTo(ExitCodes.CORRUPT);
            assertThat(mounts(mount).exitCode()).isEqualTo(ExitCodes.OK);
            assertThat(mounts(mount).out()).doesNotContain("LOST", "PROBLEM");
            assertThat(mount.run("flush").exitCode()).isEqualTo(ExitCodes.OK);
            assertThat(mount.run("flush").out())
                    .contains("0 files are buffered now")
                    .doesNotContain("lost");
        }
    }

    @Test
    void afterARepairAMountIsSoundAlsoWhenSnapshotsShowLostFiles() throws Exception {
        try (CommandMount mount = CommandMount.start(home)) {
            lose(mount, "/d/moved");
            lose(mount, "/d/deleted");
            FilePath directory = new FilePath("/d");
            for (String name : List.of("s", "t")) {
                assertThat(mount.bdt().apply(OperationVector.of(new Operation.TakeSnapshot(directory, name))))
                        .isInstanceOf(VectorResult.Applied.class);
            }
            assertThat(mount.bdt().delete(new FilePath("/d/deleted"), false)).isEqualTo(Outcome.DONE);
            CommandRun found = mount.run("fsck");
            assertThat(found.exitCode()).isEqualTo(ExitCodes.CORRUPT);
            assertThat(found.out())
                    .contains(
                            "lost /d/moved",
                            "lost /d/.snapshot/s/moved",
                            "lost /d/.snapshot/t/moved",
                            "lost /d/.snapshot/s/deleted",
                            "lost /d/.snapshot/t/deleted");

            JsonNode repaired = JSON.readTree(
                            mount.run("fsck", "--repair", "--yes", "--json").out())
                    .get("repaired");
            assertThat(repaired.get("moved").asLong()).isEqualTo(1);
            assertThat(repaired.get("cloned").asLong()).isEqualTo(1);
            CommandRun after = mount.run("fsck");
            assertThat(after.out()).contains("sound").doesNotContain("lost /d");
            assertThat(after.exitCode()).isEqualTo(ExitCodes.OK);
            assertThat(mounts(mount).exitCode()).isEqualTo(ExitCodes.OK);
            String aside = repaired.get("lost_and_found").asText();
            assertThat(mount.bdt().stat(new FilePath(aside + "/d/moved"))).isPresent();
            assertThat(mount.bdt().stat(new FilePath(aside + "/d/snapshot/s/deleted")))
                    .isPresent();
        }
    }

    @Test
    void lostBytesThatNoPathShowsAreNoDamageAndTheirLossIsAccepted() throws Exception {
        try (CommandMount mount = CommandMount.start(home)) {
            lose(mount, "/o/f");
            assertThat(mount.run("clone", "/o", "/c").exitCode()).isEqualTo(ExitCodes.OK);
            for (String path : List.of("/o/f", "/c/f")) {
                assertThat(mount.bdt().delete(new FilePath(path), false)).isEqualTo(Outcome.DONE);
            }
            CommandRun found = mount.run("fsck");
            assertThat(found.out()).contains("1 lost contents that no path shows any more", "sound");
            assertThat(found.exitCode()).isEqualTo(ExitCodes.OK);
            assertThat(JSON.readTree(mount.run("fsck", "--json").out())
                            .get("nameless_losses")
                            .asLong())
                    .isEqualTo(1);
            assertThat(mounts(mount).out()).contains("packing mounts accept");
            CommandRun accepted = CommandRun.of("mounts", "accept", "--master", mount.master(), mount.store());
            assertThat(accepted.exitCode()).as(accepted.err()).isEqualTo(ExitCodes.OK);
            assertThat(accepted.out()).contains("goes on without 1 lost files of 7 bytes");
            assertThat(mounts(mount).exitCode()).isEqualTo(ExitCodes.OK);
        }
    }
}
