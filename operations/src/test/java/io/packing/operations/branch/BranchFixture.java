// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.bdt.tree.Children;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A mount of a master in this JVM, with files whose bytes are zeros. */
abstract class BranchFixture {
    static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("u", "g", 0755);
    static final FilePath TREE = new FilePath("/tree");

    @TempDir
    Path home = Path.of("");

    BdtMaster master;
    Bdt bdt;

    @BeforeEach
    void start() throws IOException {
        Files.createDirectories(home.resolve("store"));
        open("master");
    }

    /** Starts a master with a disk of its own, and opens the mount. */
    final void open(String disk) throws IOException {
        master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                "bdt.data.dir", home.resolve(disk).toString(),
                "bdt.port", "0",
                "bdt.stores", home.resolve("store").toUri().toString())));
        bdt = master.open(options());
    }

    final Map<String, String> options() {
        return Map.of("packing.store", home.resolve("store").toUri().toString());
    }

    @AfterEach
    void stop() {
        master.close();
    }

    static FilePath path(String text) {
        return new FilePath(text);
    }

    final void apply(Operation... operations) throws IOException {
        assertThat(bdt.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }

    /** Makes a file, or replaces it. */
    final void put(String path, int length, long time) throws IOException {
        FilePath at = path(path);
        Outcome unused = bdt.mkdir(at.parent().orElseThrow(), DIRECTORY, true);
        apply(
                new Operation.CreateFile(
                        at, new AttributeChange(Optional.of("u"), Optional.of("g"), OptionalInt.of(0644)), true),
                new Operation.Truncate(at, length),
                new Operation.SetAttributes(at, AttributeChange.ofMtime(time)));
    }

    final void delete(String path) throws IOException {
        assertThat(bdt.delete(path(path), true)).isEqualTo(Outcome.DONE);
    }

    final void chmod(String path, int mode) throws IOException {
        AttributeChange change = new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.of(mode));
        assertThat(bdt.setAttributes(path(path), change)).isEqualTo(Outcome.DONE);
    }

    final void rename(String from, String to) throws IOException {
        assertThat(bdt.rename(path(from), path(to))).isEqualTo(Outcome.DONE);
    }

    final BranchCreation.Created create(int count) throws IOException {
        return BranchCreation.create(bdt, request(TREE, count));
    }

    static BranchCreation.Request request(FilePath origin, int count) {
        return new BranchCreation.Request(origin, Optional.empty(), Optional.empty(), count, DIRECTORY);
    }

    /** Makes one branch of the tree. */
    final Branch branch() throws IOException {
        return open(create(1).branches().get(0));
    }

    final Branch open(FilePath path) throws IOException {
        return Branch.open(bdt, path, Optional.empty());
    }

    final BranchMerge.Result merge(Branch branch) throws IOException {
        return BranchMerge.merge(bdt, branch, FilePath.ROOT);
    }

    /** Returns the conflicts of a merge as text. */
    final List<String> conflicts(Branch branch) throws IOException {
        return merge(branch) instanceof BranchMerge.Result.Conflicting found
                ? found.conflicts().stream()
                        .map(each -> "%s%s %s"
                                .formatted(each.branch().letter(), each.origin().letter(), each.path()))
                        .toList()
                : List.of();
    }

    final List<String> ofBranch(Branch branch) throws IOException {
        List<String> all = new ArrayList<>();
        BranchDiff.ofBranch(bdt, branch, FilePath.ROOT, each -> all.add(shown(each)));
        return all;
    }

    final List<String> ofOrigin(Branch branch) throws IOException {
        List<String> all = new ArrayList<>();
        BranchDiff.ofOrigin(bdt, branch, FilePath.ROOT, each -> all.add(shown(each)));
        return all;
    }

    private static String shown(BranchDiff.Change change) {
        return "%s %s%s".formatted(change.kind().letter(), change.path(), change.isConflict() ? " !" : "");
    }

    /** Returns what is below a directory, each entry as text by its relative path. */
    final Map<String, String> tree(FilePath top) throws IOException {
        Map<String, String> all = new TreeMap<>();
        addTree(top, top, all);
        return all;
    }

    private void addTree(FilePath top, FilePath directory, Map<String, String> all) throws IOException {
        Children children = new Children(bdt, directory);
        for (FileStatus each = children.next(); each != null; each = children.next()) {
            String relative = each.path().value().substring(top.value().length());
            all.put(relative, text(each));
            if (each.isDirectory()) {
                addTree(top, each.path(), all);
            }
        }
    }

    private static String text(FileStatus status) {
        String mode = Integer.toOctalString(status.attributes().mode());
        return status.isDirectory()
                ? "d " + mode
                : "f %s %d %d"
                        .formatted(
                                mode,
                                status.attributes().length(),
                                status.attributes().mtimeMillis());
    }
}
