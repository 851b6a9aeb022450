// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing fsck} names a file of which a recovery may have missed a newer version at every path that shows it. */
@Timeout(120)
class FsckOlderTest {
    @TempDir
    private Path directory = Path.of("");

    @BeforeAll
    static void setHome() {
        System.setProperty(
                "packing.home", Path.of("..").toAbsolutePath().normalize().toString());
    }

    private static void files(CommandMount mount, String top, Set<String> found) throws IOException {
        for (FileStatus each : mount.bdt().list(new FilePath(top), "", 100).orElseThrow()) {
            if (each.isDirectory()) {
                files(mount, each.path().value(), found);
            } else {
                found.add(each.path().value());
            }
        }
    }

    private List<Path> masterObjects(String begin) throws IOException {
        try (Stream<Path> all = Files.list(directory.resolve("store/bdt"))) {
            return all.filter(each -> String.valueOf(each.getFileName()).startsWith(begin))
                    .sorted()
                    .toList();
        }
    }

    private void loseMaster() throws IOException {
        try (Stream<Path> all = Files.walk(directory.resolve("bdt"))) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    /** Leaves a mount whose recovery begins with its first backup and cannot read the journal after it. */
    private void unreadableJournal() throws IOException {
        try (CommandMount mount = CommandMount.start(directory)) {
            for (String path : List.of("/d/e/kept", "/d/e/deleted", "/d/e/changed", "/d/linked")) {
                mount.write(path, new byte[100]);
            }
            assertThat(mount.run("snapshot create", "/d", "before").exitCode()).isZero();
            assertThat(mount.run("clone", "/d", "/copy").exitCode()).isZero();
            assertThat(mount.deleteFailure("/d/e/deleted")).isEmpty();
            mount.write("/d/e/changed", new byte[200]);
            mount.flush();
        }
        try (CommandMount mount = CommandMount.start(directory)) {
            assertThat(mount.bdt().rename(new FilePath("/d/linked"), new FilePath("/d/renamed")))
                    .isEqualTo(Outcome.DONE);
        }
        List<Path> backups = masterObjects("backup-");
        Files.delete(backups.get(backups.size() - 1));
        List<Path> journals = masterObjects("journal-");
        Path newest = journals.get(journals.size() - 1);
        byte[] bytes = Files.readAllBytes(newest);
        bytes[bytes.length / 2] ^= 1;
        Files.write(newest, bytes);
        loseMaster();
    }

    @Test
    void anOlderFileIsNamedInSnapshotsAndInClonesOfDirectories() throws IOException {
        unreadableJournal();
        try (CommandMount mount = CommandMount.start(directory)) {
            Set<String> before = new TreeSet<>();
            files(mount, "/d", before);
            files(mount, "/copy", before);
            files(mount, "/d/.snapshot/before", before);
            assertThat(before).contains("/copy/e/deleted", "/d/.snapshot/before/e/changed", "/d/linked");
            mount.write("/d/new", new byte[10]);
            assertThat(older(mount)).containsExactlyInAnyOrderElementsOf(before);
        }
    }

    @Test
    void mountsTellsOfAnUnreadObjectUntilItIsAccepted() throws IOException {
        unreadableJournal();
        try (CommandMount mount = CommandMount.start(directory)) {
            CommandRun told = CommandRun.of("mounts", "--master", mount.master());
            assertThat(told.exitCode()).isEqualTo(ExitCodes.FAILED);
            assertThat(told.out()).contains("PROBLEM: ", "could not read 1 objects (bdt/journal-");
            CommandRun accepted = CommandRun.of("mounts", "accept", "--master", mount.master(), mount.store());
            assertThat(accepted.exitCode()).as(accepted.err()).isEqualTo(ExitCodes.OK);
            assertThat(CommandRun.of("mounts", "--master", mount.master()).exitCode())
                    .isEqualTo(ExitCodes.OK);
            assertThat(older(mount)).isEmpty();
        }
    }

    private List<String> older(CommandMount mount) throws IOException {
        CommandRun run = mount.run("fsck --json");
        JsonNode damage = new ObjectMapper().readTree(run.out()).get("damage");
        return damage.findParents("kind").stream()
                .filter(each -> each.get("kind").asText().equals("older"))
                .map(each -> each.get("path").asText())
                .toList();
    }

    private static void link(CommandMount mount, String from, String to) throws IOException {
        assertThat(mount.bdt().apply(OperationVector.of(new Operation.Link(new FilePath(from), new FilePath(to)))))
                .isInstanceOf(VectorResult.Applied.class);
    }

    /** The recovery dates the file by its own position, which is after all that the unread journal has. */
    @Test
    void aFileWithoutAClaimsPositionIsNamedAtAllPathsThatShowIt() throws IOException {
        long id;
        try (CommandMount mount = CommandMount.start(directory)) {
            mount.write("/d/g", new byte[100]);
            id = register(mount).newFileId();
        }
        unreadableJournal();
        FilePath path = new FilePath("/d/f");
        try (CommandMount mount = CommandMount.start(directory)) {
            WorkerSession session = register(mount);
            assertThat(session.reclaim(List.of(
                            new Reclaim(new FileVersion(id, 0), path, new FileAttributes(8, 1, "u", "g", 0644)))))
                    .doesNotContain(Optional.empty());
            session.reclaimed();
            assertThat(mount.bdt()
                            .apply(OperationVector.of(new Operation.CloneFile(
                                    path, new FilePath("/clone"), false, AttributeChange.NONE))))
                    .isInstanceOf(VectorResult.Applied.class);
            mount.write("/d/new", new byte[10]);
            assertThat(older(mount)).contains("/d/f", "/clone", "/d/g").doesNotContain("/d/new");
        }
    }

    private static WorkerSession register(CommandMount mount) throws IOException {
        return mount.bdt().register(new WorkerRegistration("w2", "127.0.0.1:1"));
    }

    /** Since the recovery the file is the clone's own, by a change of its first name. */
    @Test
    void anOlderFileIsNamedAtTheOtherNameWhenTheFirstWasReplacedInAClone() throws IOException {
        try (CommandMount mount = CommandMount.start(directory)) {
            mount.write("/d/first", new byte[100]);
            mount.write("/d/empty", new byte[0]);
            link(mount, "/d/first", "/d/other");
            link(mount, "/d/empty", "/d/other-empty");
            assertThat(mount.run("clone", "/d", "/clone").exitCode()).isZero();
            mount.flush();
        }
        unreadableJournal();
        try (CommandMount mount = CommandMount.start(directory)) {
            mount.write("/clone/first", new byte[10]);
            mount.write("/clone/empty", new byte[10]);
            assertThat(older(mount))
                    .contains("/clone/other", "/clone/other-empty", "/d/first", "/d/other")
                    .doesNotContain("/clone/first", "/clone/empty");
        }
    }
}
