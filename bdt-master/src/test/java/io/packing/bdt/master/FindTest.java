// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many paths that are looked up at once are answered as if each were looked up by itself. */
@Timeout(120)
final class FindTest extends FindFixture {
    private static final int ROUNDS = 20;
    private static final int STEPS = 60;
    private static final int[] MODES = {0, 0100, 0400, 0644, 0700, 0710, 0711, 0750, 0755};

    private List<FoundEntry> found(String... paths) throws IOException {
        List<FoundEntry> found = new ArrayList<>();
        untilQuiet(() -> {
            found.clear();
            found.addAll(findsAsAlone(table, paths(paths)));
            assertThat(remote.find(paths(paths))).isEqualTo(found);
        });
        return found;
    }

    private static Optional<FileStatus.State> state(FoundEntry found) {
        return found.entry().map(ListedEntry::status).map(FileStatus::state);
    }

    @Test
    void answersComeInTheOrderOfThePathsAlsoWhereNothingIs() throws IOException {
        file();
        push(true);
        claim("/d/buffered");
        List<FoundEntry> found = found(
                "/none", "/d/a", "/", "/d/a/below", "/d/a/x/y", "/d", "/none/x/y", "/d/buffered", "/d/a", "/d/none");
        assertThat(found)
                .extracting(FindTest::state)
                .containsExactly(
                        Optional.empty(),
                        Optional.of(FileStatus.State.PACKED),
                        Optional.of(FileStatus.State.DIRECTORY),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(FileStatus.State.DIRECTORY),
                        Optional.empty(),
                        Optional.of(FileStatus.State.BUFFERED),
                        Optional.of(FileStatus.State.PACKED),
                        Optional.empty());
        assertThat(found).extracting(FoundEntry::denied).containsOnly(Optional.empty());
        assertThat(found.get(1).entry().orElseThrow().status().path()).isEqualTo(A);
        assertThat(found.get(1).entry().orElseThrow().placement())
                .contains(new Placement.Packed(
                        pushed.getOrDefault(stat(A).version().id(), List.of())));
        assertThat(found.get(2).entry().orElseThrow().placement()).isEmpty();
        List<ListedEntry> listed = table.listLocated(D, "", 10).orElseThrow().entries();
        assertThat(findsAsAlone(table, paths("/d/a", "/d/buffered")))
                .extracting(each -> each.entry().orElseThrow())
                .isEqualTo(listed);
        assertThat(found()).isEmpty();
    }

    @Test
    void aThousandPathsAreFoundByOneRequestAndMoreAreRefused() throws IOException {
        List<FilePath> thousand = new ArrayList<>();
        List<Operation> creations = new ArrayList<>(List.of(new Operation.MakeDirectory(D, DIRECTORY, false)));
        for (int i = 0; i < 500; i++) {
            FilePath file = D.child(Integer.toString(i));
            creations.add(new Operation.CreateFile(file, AttributeChange.NONE, false));
            thousand.addAll(List.of(file, D.child("none-" + i)));
        }
        apply(creations.toArray(Operation[]::new));
        double before = requests();
        List<FoundEntry> found = remote.find(thousand);
        assertThat(requests() - before).isEqualTo(1);
        assertThat(found).hasSize(1_000).isEqualTo(table.find(thousand));
        for (int i = 0; i < 1_000; i++) {
            assertThat(found.get(i).entry().map(each -> each.status().path()))
                    .isEqualTo(i % 2 == 0 ? Optional.of(thousand.get(i)) : Optional.empty());
        }
        List<FilePath> more = new ArrayList<>(thousand);
        more.add(D);
        for (Bdt each : List.of(table, remote)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> each.find(more))
                    .withMessage("1001 paths to look up at once, of at most 1000: ask in parts");
        }
        assertThat(requests() - before).isEqualTo(1);
        assertThat(remote.find(Collections.nCopies(1_000, D))).containsOnly(alone(table, D));
    }

    @Test
    void namesAreFoundInClonesAndSnapshots() throws IOException {
        file();
        link(A, B);
        claim("/d/x/own");
        push(true);
        apply(
                new Operation.TakeSnapshot(D, "s"),
                new Operation.CloneDirectory(D, new FilePath("/c")),
                new Operation.CloneDirectory(new FilePath("/c"), new FilePath("/cc")),
                new Operation.CloneFile(A, C, false, AttributeChange.NONE));
        link(A, new FilePath("/d/later"));
        apply(new Operation.Truncate(new FilePath("/c/b"), 3));
        rename("/c/x/own", "/c/x/moved");
        delete("/d/x");
        List<FoundEntry> found = found(
                "/c/a",
                "/c/b",
                "/cc/a",
                "/cc/b",
                "/cc/x/own",
                "/c/x/own",
                "/c/x/moved",
                "/d/x/own",
                "/d/later",
                "/c/later",
                "/d/.snapshot/s/a",
                "/d/.snapshot/s/x/own",
                "/d/.snapshot/s/later",
                "/d/.snapshot/t/a",
                "/d/.snapshot",
                "/d/.snapshot/s",
                "/.snapshot",
                "/d/a/.snapshot",
                "/e/c",
                "/c/a/x",
                "/cc/x");
        assertThat(found.stream().map(each -> each.entry().isPresent()))
                .containsExactly(
                        true, true, true, true, true, false, true, false, true, false, true, true, false, false, true,
                        true, true, false, true, false, true);
        FileStatus one = found.get(2).entry().orElseThrow().status();
        FileStatus two = found.get(3).entry().orElseThrow().status();
        assertThat(one.version()).isEqualTo(two.version());
        assertThat(one.extras().links()).isEqualTo(2);
        assertThat(one.cloneId()).isEqualTo(two.cloneId()).isNotZero();
    }

    @Test
    void whatTheTableContradictsItselfOfIsLostAsInAListing() throws IOException {
        file();
        push(true);
        apply(new Operation.CloneFile(A, C, false, AttributeChange.NONE));
        long content = ((Placement.Mapped) table.locate(C).orElseThrow().placement())
                .pieces()
                .get(0)
                .content()
                .status()
                .version()
                .id();
        stores.table().write(new WriteBatch().delete(Keys.numbered(Keys.CONTENT, content)), SortedStore.Sync.NONE);
        List<FoundEntry> found = table.find(List.of(C, D));
        assertThat(found.get(0).entry().orElseThrow().placement()).contains(new Placement.Lost(""));
        assertThat(found.get(0).entry())
                .isEqualTo(table.listLocated(new FilePath("/e"), "", 1).orElseThrow().entries().stream()
                        .findFirst());
        assertThat(state(found.get(1))).contains(FileStatus.State.DIRECTORY);
        assertThat(remote.find(List.of(C, D))).isEqualTo(found);
    }

    /** Names that are made, moved, cloned, linked, closed to some, taken in snapshots and deleted, as each user sees them. */
    @Test
    void manyAreAnsweredAsOneWhateverWasDone() throws IOException {
        Random random = Seed.random();
        RandomOperations draw = new RandomOperations(random);
        List<Permissions> callers = List.of(
                Permissions.UNCHECKED,
                PermissionsFixture.permissions("u"),
                PermissionsFixture.permissions("v", "g"),
                PermissionsFixture.permissions("w"));
        Set<String> kinds = new HashSet<>();
        for (int round = 0; round < ROUNDS; round++) {
            for (int step = 0; step < STEPS; step++) {
                step(random, draw);
            }
            List<FilePath> paths = new ArrayList<>(paths("/", "/.snapshot", "/.snapshot/s0"));
            for (int i = 0; i < 100; i++) {
                String path = draw.path();
                paths.addAll(paths(path, path + "/a", "/d" + path, "/.snapshot/s" + random.nextInt(4) + path));
            }
            Collections.shuffle(paths, random);
            untilQuiet(() -> assertThat(remote.find(paths)).isEqualTo(findsAsAlone(table, paths)));
            for (Permissions each : callers) {
                Bdt theirs = new LocalBdt(master.openMount(TestStores.MOUNT), each);
                untilQuiet(() -> findsAsAlone(theirs, paths).forEach(found -> kinds.add(kind(found))));
            }
        }
        assertThat(kinds).contains("DIRECTORY", "BUFFERED", "PACKED", "MAPPED", "nothing", "denied", "without a place");
    }

    private void step(Random random, RandomOperations draw) throws IOException {
        FilePath path = new FilePath(draw.path());
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                boolean unused = tryClaim(path.value());
            }
            case 2 -> {
                if (random.nextInt(4) == 0) {
                    push(true);
                }
            }
            case 3 -> {
                FilePath there = path;
                for (int i = 0; i < 10 && table.stat(there).isEmpty(); i++) {
                    there = new FilePath(draw.path());
                }
                if (table.stat(there).isPresent()) {
                    chmod(there, MODES[random.nextInt(MODES.length)]);
                }
            }
            case 4 -> {
                if (random.nextInt(4) == 0) {
                    VectorResult unused = table.apply(OperationVector.of(draw.snapshotOperation(new ByteModel())));
                }
            }
            default -> {
                VectorResult unused = table.apply(OperationVector.of(draw.operation(new ByteModel())));
            }
        }
    }

    private static String kind(FoundEntry found) {
        if (found.entry().isEmpty()) {
            return found.denied().isPresent() ? "denied" : "nothing";
        }
        ListedEntry entry = found.entry().get();
        boolean isClosed = !entry.status().isDirectory() && entry.placement().isEmpty();
        return isClosed ? "without a place" : entry.status().state().toString();
    }
}
