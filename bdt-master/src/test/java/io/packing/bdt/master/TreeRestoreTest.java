// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.bdt.tree.Difference;
import io.packing.bdt.tree.TreeDiff;
import io.packing.bdt.tree.TreeRestore;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** The changes since a snapshot, and a restore that undoes all of them. */
class TreeRestoreTest extends MountFixture {
    private static final FilePath D = new FilePath("/d");
    private static final FilePath SNAPSHOT = new FilePath("/d/.snapshot/s");
    private static final long FIRST_SEED = Seed.value();
    private static final int STEPS = 40;

    private Random random = Seed.random();

    private void apply(Operation operation) throws IOException {
        assertThat(table.apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
    }

    private void take() throws IOException {
        apply(new Operation.TakeSnapshot(D, "s"));
    }

    private void rename(String from, String to) throws IOException {
        assertThat(table.rename(new FilePath(from), new FilePath(to))).isEqualTo(Outcome.DONE);
    }

    private void chmod(String path, int mode) throws IOException {
        AttributeChange change = new AttributeChange(Optional.empty(), Optional.of("other"), OptionalInt.of(mode));
        assertThat(table.setAttributes(new FilePath(path), change)).isEqualTo(Outcome.DONE);
    }

    private List<String> diff() throws IOException {
        return TreeDiff.between(table, SNAPSHOT, D).stream()
                .map(TreeRestoreTest::shown)
                .toList();
    }

    private static String shown(Difference each) {
        return each.kind().letter()
                + each.from().map(from -> " " + from + " ->").orElse("") + " " + each.path();
    }

    @Test
    void createdDeletedModifiedAndRenamedAreTold() throws IOException {
        for (String path :
                List.of("/d/same", "/d/over", "/d/mode", "/d/gone", "/d/moved", "/d/t/a", "/d/t/b", "/d/u/x/y")) {
            claim(path);
        }
        take();
        assertThat(diff()).isEmpty();
        claim("/d/over");
        chmod("/d/mode", 0600);
        assertThat(table.delete(new FilePath("/d/gone"), false)).isEqualTo(Outcome.DONE);
        assertThat(table.mkdir(new FilePath("/d/new"), DIRECTORY, true)).isEqualTo(Outcome.DONE);
        rename("/d/moved", "/d/new/moved");
        claim("/d/new/deep/new");
        rename("/d/t", "/d/v");
        chmod("/d/v/a", 0600);
        rename("/d/v/b", "/d/v/c");
        claim("/d/v/e");
        assertThat(table.delete(new FilePath("/d/u"), true)).isEqualTo(Outcome.DONE);
        assertThat(diff())
                .containsExactly(
                        "- /gone",
                        "M /mode",
                        "+ /new",
                        "R /moved -> /new/moved",
                        "M /over",
                        "- /u",
                        "R /t -> /v",
                        "M /v/a",
                        "R /t/b -> /v/c",
                        "+ /v/e");
        assertThat(TreeDiff.between(table, SNAPSHOT, SNAPSHOT)).isEmpty();
    }

    @Test
    void aTypeThatChangedIsUndoneToo() throws IOException {
        claim("/d/file");
        claim("/d/directory/file");
        take();
        assertThat(table.delete(new FilePath("/d/file"), false)).isEqualTo(Outcome.DONE);
        assertThat(table.delete(new FilePath("/d/directory"), true)).isEqualTo(Outcome.DONE);
        claim("/d/file/below");
        claim("/d/directory");
        assertThat(diff()).containsExactly("+ /directory", "- /directory", "+ /file", "- /file");
        checkRestored();
    }

    /** Both have the same bytes, so that only attributes differ. */
    @Test
    void aFileWhosePathBecameANameOfAnotherIsAFileOfItsOwnAgain() throws IOException {
        FilePath a = new FilePath("/d/a");
        FilePath b = new FilePath("/d/b");
        claim("/d/a");
        apply(new Operation.CloneFile(a, b, false, AttributeChange.NONE));
        chmod("/d/b", 0600);
        take();
        apply(new Operation.Delete(b, false));
        apply(new Operation.Link(a, b));
        int unused = TreeRestore.restore(table, SNAPSHOT, D);
        assertThat(table.stat(a).orElseThrow().attributes().mode()).isEqualTo(0644);
        assertThat(table.stat(b).orElseThrow().attributes().mode()).isEqualTo(0600);
        assertThat(diff()).isEmpty();
    }

    @Test
    void aHoleAtTheEndOfAFileIsToldAndRestored() throws IOException {
        FilePath file = new FilePath("/d/hole");
        assertThat(table.mkdir(D, DIRECTORY, true)).isEqualTo(Outcome.DONE);
        apply(new Operation.CreateFile(file, AttributeChange.NONE, false));
        apply(new Operation.Truncate(file, 1_000));
        long mtime = table.stat(file).orElseThrow().attributes().mtimeMillis();
        take();
        apply(new Operation.Truncate(file, 5));
        assertThat(table.setAttributes(file, AttributeChange.ofMtime(mtime))).isEqualTo(Outcome.DONE);
        assertThat(diff()).containsExactly("M /hole");
        int unused = TreeRestore.restore(table, SNAPSHOT, D);
        assertThat(table.stat(file).orElseThrow().attributes().length()).isEqualTo(1_000);
        assertThat(diff()).isEmpty();
        // The other way round: a file without bytes got a hole.
        apply(new Operation.Truncate(file, 2_000));
        unused = TreeRestore.restore(table, SNAPSHOT, D);
        assertThat(table.stat(file).orElseThrow().attributes().length()).isEqualTo(1_000);
    }

    @Test
    void whatChangesBetweenTheLookAndTheVectorIsLookedAtAgain() throws IOException {
        claim("/d/a");
        take();
        claim("/d/a");
        Bdt racing = racing(() -> claim("/d/a"), 2);
        assertThat(TreeRestore.restore(racing, SNAPSHOT, D)).isEqualTo(1);
        assertThat(diff()).isEmpty();
        claim("/d/a");
        assertThatThrownBy(() -> TreeRestore.restore(racing(() -> claim("/d/a"), Integer.MAX_VALUE), SNAPSHOT, D))
                .isInstanceOfSatisfying(
                        TreeRestore.RefusedException.class,
                        e -> assertThat(e.refused().reason()).isEqualTo(Outcome.CHANGED));
    }

    /** Something that happens at the table. */
    private interface Step {
        void run() throws IOException;
    }

    /** The table, in which something happens before each of the first vectors. */
    private Bdt racing(Step step, int times) {
        int[] left = {times};
        return (Bdt) Proxy.newProxyInstance(
                Bdt.class.getClassLoader(), new Class<?>[] {Bdt.class}, (proxy, method, args) -> {
                    if (method.getName().equals("apply") && left[0]-- > 0) {
                        step.run();
                    }
                    try {
                        return method.invoke(table, args);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private FilePath any() {
        StringBuilder path = new StringBuilder("/d");
        for (int depth = random.nextInt(3); depth >= 0; depth--) {
            path.append("/").append(random.nextInt(3));
        }
        return new FilePath(path.toString());
    }

    private void step() throws IOException {
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> tryClaim(any().value());
            case 4 -> tryDelete(any(), true);
            case 5, 6 -> tryRename(any(), any());
            case 7 -> tryMakeDirectory(any());
            case 8 -> {
                AttributeChange change =
                        new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(random.nextInt(0777)));
                assertThat(table.setAttributes(any(), change)).isNotEqualTo(Outcome.INVALID);
            }
            default -> push(true);
        }
    }

    @RepeatedTest(30)
    void aRestoreUndoesWhateverHappened(RepetitionInfo repetition) throws IOException {
        long seed = FIRST_SEED + repetition.getCurrentRepetition() - 1;
        random = new Random(seed);
        try {
            assertThat(table.mkdir(D, new DirectoryAttributes("u", "g", 0755), true))
                    .isEqualTo(Outcome.DONE);
            for (int i = 0; i < STEPS; i++) {
                step();
            }
            take();
            for (int i = random.nextInt(STEPS); i > 0; i--) {
                step();
            }
            checkRestored();
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private void checkRestored() throws IOException {
        boolean different = !diff().isEmpty();
        int operations = TreeRestore.restore(table, SNAPSHOT, D);
        assertThat(operations > 0).isEqualTo(different);
        assertThat(contents(D)).isEqualTo(contents(SNAPSHOT));
        assertThat(diff()).isEmpty();
        assertThat(TreeRestore.restore(table, SNAPSHOT, D)).isZero();
    }

    /** Returns the entries below a directory, by relative path: attributes and bytes. A directory's time does not count. */
    private Map<String, String> contents(FilePath directory) throws IOException {
        Map<String, FileStatus> found = new TreeMap<>();
        list(directory, found);
        Map<String, String> contents = new TreeMap<>();
        for (FileStatus each : found.values()) {
            contents.put(
                    each.path().value().substring(directory.value().length()),
                    each.isDirectory()
                            ? "directory %o".formatted(each.attributes().mode())
                            : each.attributes() + " " + bytes(each));
        }
        return contents;
    }

    private String bytes(FileStatus file) throws IOException {
        LocatedFile located = table.locate(file.path()).orElseThrow();
        if (file.attributes().length() == 0) {
            return "empty";
        }
        return located.placement() instanceof Placement.Mapped mapped
                ? mapped.pieces().get(0).content().status().version().toString()
                : file.version().toString();
    }
}
