// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.process.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member of a group of masters whose directory was put back to an older copy: it is refused, and the group goes on without it. */
@Timeout(180)
class RestoredMemberTest {
    private static final List<String> THREE = List.of("a", "b", "c");
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);

    @TempDir
    private Path root;

    private static void make(Bdt table, String path) throws IOException {
        assertThat(table.mkdir(new FilePath(path), DIRECTORY, false)).isEqualTo(Outcome.DONE);
    }

    private static String follower(Masters masters) throws IOException, InterruptedException {
        String leader = masters.leader();
        return THREE.stream().filter(id -> !id.equals(leader)).findFirst().orElseThrow();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.sorted().toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    copyFile(file, target);
                }
            }
        }
    }

    private static void copyFile(Path file, Path target) throws IOException {
        try {
            Files.copy(file, target);
        } catch (NoSuchFileException e) {
            // The member that runs has renamed or deleted it meanwhile.
        }
    }

    private static void putBack(Path copy, Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
        copy(copy, directory);
    }

    @Test
    void aCopyOfAnEarlierStartIsRefused() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE);
                GrpcBdts client = masters.client()) {
            Bdt table = client.open(masters.mount());
            make(table, "/first");
            String restored = follower(masters);
            masters.awaitKnown(masters.leader(), restored);
            masters.stop(restored);
            Path copy = root.resolve("copy");
            copy(masters.data(restored), copy);
            Masters.Running again = masters.start(restored, THREE);
            make(table, "/second");
            Await.until("it is known", () -> masters.member(masters.leader()).starts(restored) >= 2);
            assertThat(again.member().problem()).isEmpty();
            masters.stop(restored);
            putBack(copy, masters.data(restored));
            assertThat(masters.refusal(restored, THREE)).contains("as a new member");
            make(table, "/third");
        }
    }

    /** The first member alone has entries that a majority acknowledged: a third one was down, and this one lost them. */
    @Test
    void aCopyOfTheLastStartIsRefusedWithoutALeader() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE);
                GrpcBdts client = masters.client()) {
            Bdt table = client.open(masters.mount());
            make(table, "/first");
            String leader = masters.leader();
            String restored = follower(masters);
            String down = THREE.stream()
                    .filter(id -> !id.equals(leader) && !id.equals(restored))
                    .findFirst()
                    .orElseThrow();
            masters.awaitKnown(leader, restored);
            masters.stop(down);
            Path copy = root.resolve("copy");
            copy(masters.data(restored), copy);
            for (int i = 0; i < 50; i++) {
                make(table, "/d" + i);
            }
            long end = masters.member(leader).applied();
            Await.until("it has all", () -> masters.member(restored).applied() >= end);
            masters.stop(restored);
            Await.until("none leads", () -> !masters.member(leader).leads());
            putBack(copy, masters.data(restored));
            assertThat(masters.refusal(restored, THREE)).contains("as a new member");
        }
    }

    @Test
    void aCopyOfTheLastStartIsRefused() throws Exception {
        try (Masters masters = new Masters(root).startAll(THREE);
                GrpcBdts client = masters.client()) {
            Bdt table = client.open(masters.mount());
            make(table, "/first");
            String restored = follower(masters);
            masters.awaitKnown(masters.leader(), restored);
            Path copy = root.resolve("copy");
            copy(masters.data(restored), copy);
            for (int i = 0; i < 50; i++) {
                make(table, "/d" + i);
            }
            long end = masters.member(masters.leader()).applied();
            Await.until("it has all", () -> masters.member(restored).applied() >= end);
            masters.stop(restored);
            putBack(copy, masters.data(restored));
            assertThat(masters.refusal(restored, THREE)).contains("as a new member");
            make(table, "/third");
        }
    }
}
