// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import io.packing.sorted.SortedStoreOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A test of a member whose disk has no room, and later has. */
@Timeout(180)
final class FullDiskOfMemberTest {
    private static final List<String> ALL = List.of("a", "b", "c");
    /** The engine of the tests: LevelDB writes mapped files, and so ends the JVM when a disk becomes full at once. */
    private static final SortedStoreOptions.Engine ENGINE = SortedStoreOptions.Engine.ROCKSDB;

    @TempDir
    private Path home;

    private static void make(Bdt table, String path) throws IOException {
        assertThat(table.mkdir(new FilePath(path), new DirectoryAttributes("u", "g", 0755), false))
                .isEqualTo(Outcome.DONE);
    }

    /**
     * Waits until a member has opened its table. LevelDB checks for room first, and does not expect to lose it while it
     * opens files.
     */
    private static void awaitOpened(Path data) throws IOException, InterruptedException {
        Await.until("a table is open below " + data, () -> {
            try (Stream<Path> files = Files.walk(data)) {
                return files.anyMatch(each -> each.getFileName().toString().equals("BOOT"));
            } catch (UncheckedIOException e) {
                // A file vanished during the walk.
                return false;
            }
        });
    }

    @Test
    void aFollowerWithoutRoomCatchesUpWhenThereIsSome() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(home.resolve("disk"));
                Masters masters = new Masters(home)
                        .placing("c", home.resolve("disk/data"))
                        .startAll(ALL);
                GrpcBdts client = masters.client()) {
            Bdt table = client.open(masters.mount());
            make(table, "/first");
            if (masters.leader().equals("c")) {
                masters.stop("c");
                String other = masters.leader();
                Masters.Running unused = masters.start("c", ALL);
                masters.awaitKnown(other, "c");
            }
            awaitOpened(home.resolve("disk/data"));
            disk.leave(16 << 10);
            for (int i = 0; i < 300; i++) {
                make(table, "/d%d-%s".formatted(i, "x".repeat(200)));
            }
            disk.enlarge();
            // The member that had no room is one of the two that run from now on, and both are needed.
            String leader = masters.leader();
            masters.stop(leader.equals("a") ? "b" : "a");
            for (int i = 0; i < 20; i++) {
                make(table, "/after-" + i);
            }
            assertThat(table.list(FilePath.ROOT, "", 1_000).orElseThrow()).hasSize(321);
        }
    }

    @Test
    void aLeaderWhoseLogFindsNoRoomIsReplacedAndTakesPartAgain() throws Exception {
        try (SmallDisk one = SmallDisk.mount(home.resolve("disk-a"));
                SmallDisk two = SmallDisk.mount(home.resolve("disk-b"));
                SmallDisk three = SmallDisk.mount(home.resolve("disk-c"));
                Masters masters = new Masters(home)
                        .on(ENGINE)
                        .placing("a", home.resolve("disk-a/data"))
                        .placing("b", home.resolve("disk-b/data"))
                        .placing("c", home.resolve("disk-c/data"))
                        .startAll(ALL);
                GrpcBdts client = masters.client()) {
            Bdt table = client.open(masters.mount());
            make(table, "/first");
            String leader = masters.leader();
            SmallDisk full = Objects.requireNonNull(
                    Map.of("a", one, "b", two, "c", three).get(leader));
            full.leave(4 << 10);
            for (int i = 0; i < 300; i++) {
                make(table, "/d%d-%s".formatted(i, "x".repeat(200)));
            }
            String next = masters.leader();
            assertThat(next).isNotEqualTo(leader);
            full.enlarge();
            // The member that had no room is one of the two that are left.
            masters.stop(ALL.stream()
                    .filter(id -> !id.equals(leader) && !id.equals(next))
                    .findFirst()
                    .orElseThrow());
            for (int i = 0; i < 20; i++) {
                make(table, "/after-" + i);
            }
            assertThat(table.list(FilePath.ROOT, "", 1_000).orElseThrow()).hasSize(321);
        }
    }
}
