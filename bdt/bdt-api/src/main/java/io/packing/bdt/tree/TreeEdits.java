// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.tree;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtLookups;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The operations that give a tree entries of another tree of the mount, in their order. Files share the bytes of the other tree's
 * files. Paths are relative to both trees. Confined to one thread.
 */
public final class TreeEdits {
    private final BdtLookups bdt;
    private final FilePath from;
    private final FilePath to;
    private final String tooMany;
    private final List<Operation> operations = new ArrayList<>();
    /** The path at which a file with several names was made, by the file. */
    private final Map<Same, FilePath> linked = new HashMap<>();

    /** The identity of a file with several names. */
    private record Same(long cloneId, long file) {}

    /**
     * Makes a list without operations.
     *
     * @param from the tree whose entries the other one gets
     * @param to the tree that changes
     * @param tooMany the message of the exception when a vector cannot hold the operations
     */
    public TreeEdits(BdtLookups bdt, FilePath from, FilePath to, String tooMany) {
        this.bdt = bdt;
        this.from = from;
        this.to = to;
        this.tooMany = tooMany;
    }

    /** Returns the operations so far. */
    public List<Operation> operations() {
        return operations;
    }

    /** Adds the deletion of an entry. */
    public void delete(FilePath path, boolean recursive) {
        add(new Operation.Delete(TreePair.below(to, path), recursive));
    }

    /**
     * Adds a file; the first of its names becomes a file, the others links to it.
     *
     * @param wanted the file of the other tree
     * @param isThere true if it replaces a file
     */
    public void makeFile(FilePath path, FileStatus wanted, boolean isThere) {
        FilePath at = TreePair.below(to, path);
        FilePath first = wanted.extras().isLinked()
                ? linked.putIfAbsent(new Same(wanted.cloneId(), wanted.version().id()), at)
                : null;
        if (first == null) {
            add(new Operation.CloneFile(
                    TreePair.below(from, path), at, isThere, time(wanted, RareAttributeChange.NONE)));
            return;
        }
        if (isThere) {
            add(new Operation.Delete(at, false));
        }
        add(new Operation.Link(first, at));
    }

    /** Adds a directory without entries. */
    public void makeDirectory(FilePath path, FileStatus wanted) throws IOException {
        FilePath at = TreePair.below(to, path);
        FileAttributes was = wanted.attributes();
        add(new Operation.MakeDirectory(at, new DirectoryAttributes(was.owner(), was.group(), was.mode()), false));
        RareAttributeChange extra = wanted.extras().hasExtended() ? extended(path) : RareAttributeChange.NONE;
        add(new Operation.SetAttributes(at, time(wanted, extra)));
    }

    /**
     * Adds the change of an entry that stays a file or a directory. Only attributes change if both have the same bytes, unless the entry is a
     * name of another file that has more names: then it becomes a file of its own, and the other names keep what they have.
     *
     * @param wanted the entry of the other tree
     * @param there the entry that changes
     * @param haveSameBytes true of files with the same bytes
     */
    public void change(FilePath path, FileStatus wanted, FileStatus there, boolean haveSameBytes) throws IOException {
        boolean isNameOfAnother = there.extras().isLinked()
                && wanted.version().id() != there.version().id();
        if (wanted.isDirectory() || (haveSameBytes && !isNameOfAnother)) {
            RareAttributeChange extra =
                    EntryComparison.differInExtended(wanted, there) ? extended(path) : RareAttributeChange.NONE;
            add(new Operation.SetAttributes(
                    TreePair.below(to, path), attributes(wanted, !wanted.isDirectory(), extra)));
        } else {
            makeFile(path, wanted, true);
        }
    }

    private void add(Operation operation) {
        if (operations.size() == OperationVector.MAX_OPERATIONS) {
            throw new IllegalArgumentException(tooMany);
        }
        operations.add(operation);
    }

    private static AttributeChange time(FileStatus was, RareAttributeChange extra) {
        return AttributeChange.ofMtime(was.attributes().mtimeMillis()).with(extra.withTimes(was.extras()));
    }

    /** Returns the change that copies the extended attributes of an entry of the other tree. */
    private RareAttributeChange extended(FilePath path) throws IOException {
        FilePath source = TreePair.below(from, path);
        return RareAttributeChange.exactly(bdt.extended(source)
                .orElseThrow(() -> new FileNotFoundException(source + ": no such file or directory")));
    }

    private static AttributeChange attributes(FileStatus wanted, boolean withTime, RareAttributeChange extra) {
        FileAttributes was = wanted.attributes();
        return new AttributeChange(
                Optional.of(was.owner()),
                Optional.of(was.group()),
                OptionalInt.of(was.mode()),
                withTime ? OptionalLong.of(was.mtimeMillis()) : OptionalLong.empty(),
                withTime ? extra.withTimes(wanted.extras()) : extra);
    }
}
