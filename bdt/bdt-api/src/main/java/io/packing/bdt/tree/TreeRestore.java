// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.tree;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A restore of a path to the tree of another path of the mount, as one vector. It clones, deletes or makes the differing entries, and leaves all others alone. So it costs the reads of both listings, and one write; it copies no byte.
 */
public final class TreeRestore {
    private static final int TRIES = 5;

    private final TreePair trees;
    private final List<Precondition> preconditions = new ArrayList<>();
    private final TreeEdits edits;

    private TreeRestore(TreePair trees) {
        this.trees = trees;
        this.edits = new TreeEdits(
                trees.bdt(),
                trees.before(),
                trees.after(),
                "%s and %s differ in more than one vector can restore, %,d operations: restore the directories below one by one"
                        .formatted(trees.before(), trees.after(), OperationVector.MAX_OPERATIONS));
    }

    /**
     * Restores a directory or a file, which may be gone. A concurrent change of a differing entry makes it look again;
     * a new file elsewhere below the path stays.
     *
     * @param source such as {@code /d/.snapshot/s}
     * @param path such as {@code /d}
     * @return the number of the vector's operations
     * @throws FileNotFoundException when the source has no entry
     * @throws RefusedException when an operation is impossible, or files change again and again
     * @throws IllegalArgumentException when a vector cannot hold so many differences
     */
    public static int restore(Bdt bdt, FilePath source, FilePath path) throws IOException {
        for (int tries = 1; ; tries++) {
            TreeRestore restore = new TreeRestore(new TreePair(bdt, source, path));
            restore.undoAll();
            if (restore.edits.operations().isEmpty()) {
                return 0;
            }
            OperationVector vector = new OperationVector(restore.preconditions, restore.edits.operations());
            if (!(bdt.apply(vector) instanceof VectorResult.Refused refused)) {
                return restore.edits.operations().size();
            }
            if (refused.kind() == VectorResult.Kind.OPERATION || tries == TRIES) {
                throw new RefusedException(vector, refused);
            }
        }
    }

    /** A refusal of an operation or precondition of a restore. No row has changed. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;
        private final transient OperationVector vector;
        private final transient VectorResult.Refused refused;

        RefusedException(OperationVector vector, VectorResult.Refused refused) {
            super("%s %d was refused: %s".formatted(refused.kind(), refused.index(), refused.reason()));
            this.vector = vector;
            this.refused = refused;
        }

        public OperationVector vector() {
            return vector;
        }

        public VectorResult.Refused refused() {
            return refused;
        }
    }

    private void undoAll() throws IOException {
        FileStatus before = trees.bdt()
                .stat(trees.before())
                .orElseThrow(() -> new FileNotFoundException(trees.before() + ": no such file or directory"));
        FileStatus after = trees.bdt().stat(trees.after()).orElse(null);
        if (after == null || trees.differ(before, after)) {
            undo(FilePath.ROOT, before, after);
        }
        if (after != null && before.isDirectory() && after.isDirectory()) {
            trees.walk(this::undo);
        }
    }

    private void undo(FilePath path, @Nullable FileStatus before, @Nullable FileStatus after) throws IOException {
        FilePath at = TreePair.below(trees.after(), path);
        preconditions.add(
                after == null ? new Precondition.Absent(at) : new Precondition.SameVersion(at, after.version()));
        if (before != null && after != null && before.isDirectory() == after.isDirectory()) {
            change(path, before, after);
            return;
        }
        if (after != null) {
            edits.delete(path, true);
        }
        if (before != null) {
            make(path, before);
        }
    }

    private void change(FilePath path, FileStatus before, FileStatus after) throws IOException {
        edits.change(path, before, after, !before.isDirectory() && trees.haveSameBytes(before, after));
    }

    /** Makes a missing entry, with all below it. */
    private void make(FilePath path, FileStatus before) throws IOException {
        record Missing(FilePath path, FileStatus before) {}
        Deque<Missing> left = new ArrayDeque<>(List.of(new Missing(path, before)));
        while (!left.isEmpty()) {
            Missing next = left.remove();
            if (!next.before().isDirectory()) {
                edits.makeFile(next.path(), next.before(), false);
                continue;
            }
            edits.makeDirectory(next.path(), next.before());
            Children children = new Children(trees.bdt(), TreePair.below(trees.before(), next.path()));
            for (FileStatus child = children.next(); child != null; child = children.next()) {
                left.add(new Missing(next.path().child(child.path().name()), child));
            }
        }
    }
}
