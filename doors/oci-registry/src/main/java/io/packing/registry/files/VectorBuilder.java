// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.files;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Precondition;
import io.packing.blob.FilePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A vector, operation by operation. Confined to one thread. */
public final class VectorBuilder {
    private static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("registry", "registry", 0750);

    private final List<Precondition> preconditions = new ArrayList<>();
    private final List<Operation> operations = new ArrayList<>();

    /** Requires that the path has no entry. */
    public VectorBuilder absent(FilePath path) {
        preconditions.add(new Precondition.Absent(path));
        return this;
    }

    /** Requires that the path still has this file. */
    public VectorBuilder unchanged(FileStatus file) {
        preconditions.add(new Precondition.SameVersion(file.path(), file.version()));
        return this;
    }

    /** Requires that the path still has this file, or still none. */
    public VectorBuilder unchanged(FilePath path, Optional<FileStatus> before) {
        return before.isPresent() ? unchanged(before.get()) : absent(path);
    }

    /** Requires that the path has an entry. */
    public VectorBuilder present(FilePath path) {
        operations.add(new Operation.SetAttributes(path, AttributeChange.NONE));
        return this;
    }

    /** Makes a directory, with those above it, unless it is there. */
    public VectorBuilder directory(FilePath path) {
        operations.add(new Operation.MakeDirectory(path, DIRECTORY, true));
        return this;
    }

    public VectorBuilder rename(FilePath from, FilePath to, boolean overwrite) {
        operations.add(new Operation.Rename(from, to, overwrite));
        return this;
    }

    /** Gives a file another name beside the one that it has; replaces a file of that name. */
    public VectorBuilder cloneFile(FilePath from, FilePath to) {
        operations.add(new Operation.CloneFile(from, to, true, AttributeChange.NONE));
        return this;
    }

    public VectorBuilder add(Operation operation) {
        operations.add(operation);
        return this;
    }

    /** Deletes the entry at the path, with all below it. It must be there. */
    public VectorBuilder delete(FilePath path) {
        operations.add(new Operation.Delete(path, true));
        return this;
    }

    /** Returns the number of operations so far. */
    public int size() {
        return operations.size();
    }

    public OperationVector build() {
        return new OperationVector(preconditions, operations);
    }
}
