// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.DeniedException;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Precondition;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.change.Transaction;
import io.packing.bdt.master.table.read.Permissions;
import io.packing.bdt.master.table.row.Inode;
import java.io.IOException;
import java.util.Optional;

/** Applies a vector as one mutation: whole, or not at all (ANViL §3.2). Confined to the writer thread. */
public final class VectorOperations {
    /** Takes the mutation back in which it is thrown. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;
        private final transient VectorResult.Refused result;

        private RefusedException(VectorResult.Refused result) {
            super("%s %d: %s".formatted(result.kind(), result.index(), result.reason()));
            this.result = result;
        }

        public VectorResult.Refused result() {
            return result;
        }
    }

    private final Transaction transaction;
    private final Permissions permissions;
    private final NamespaceOperations names;
    private final FileCreation files;
    private final RangeOperations ranges;
    private final SnapshotOperations snapshots;
    private final long nowMillis;

    public VectorOperations(Transaction transaction, Permissions permissions, long nowMillis) {
        this.transaction = transaction;
        this.permissions = permissions;
        this.nowMillis = nowMillis;
        this.names = new NamespaceOperations(transaction, permissions);
        this.files = new FileCreation(transaction, names, nowMillis);
        this.ranges = new RangeOperations(transaction, names, files, nowMillis);
        this.snapshots = new SnapshotOperations(transaction, permissions);
    }

    /**
     * Applies all preconditions and operations of a vector.
     *
     * @throws RefusedException naming the first that fails; the mutation must be taken back then
     */
    public VectorResult.Applied apply(OperationVector vector) throws IOException {
        for (int i = 0; i < vector.preconditions().size(); i++) {
            check(
                    VectorResult.Kind.PRECONDITION,
                    i,
                    holds(vector.preconditions().get(i)));
        }
        for (int i = 0; i < vector.operations().size(); i++) {
            check(VectorResult.Kind.OPERATION, i, apply(vector, i));
        }
        ranges.close();
        return new VectorResult.Applied(transaction.change().position());
    }

    private Outcome apply(OperationVector vector, int index) throws IOException {
        try {
            Outcome outcome = apply(vector.operations().get(index));
            transaction.quotas().check();
            return outcome;
        } catch (QuotaExceededException e) {
            throw vector.operations().size() == 1 ? e : e.within("operation " + index);
        } catch (IllegalArgumentException e) {
            // Of many, a caller must learn which one.
            throw vector.operations().size() == 1
                    ? e
                    : new IllegalArgumentException("operation %d: %s".formatted(index, e.getMessage()), e);
        } catch (DeniedException e) {
            throw vector.operations().size() == 1
                    ? e
                    : new DeniedException("operation %d: %s".formatted(index, e.getMessage()));
        }
    }

    private static void check(VectorResult.Kind kind, int index, Outcome outcome) throws RefusedException {
        if (outcome != Outcome.DONE) {
            throw new RefusedException(new VectorResult.Refused(kind, index, outcome));
        }
    }

    private Outcome holds(Precondition precondition) throws IOException {
        Optional<Inode> there = names.reach(precondition.path()).file().inode();
        if (precondition instanceof Precondition.SameVersion same) {
            if (there.isEmpty()) {
                return Outcome.NOT_FOUND;
            }
            return there.get().version().equals(same.version()) ? Outcome.DONE : Outcome.CHANGED;
        }
        return there.isEmpty() ? Outcome.DONE : Outcome.EXISTS;
    }

    private Outcome apply(Operation operation) throws IOException {
        if (operation instanceof Operation.CloneRange clone) {
            return ranges.clone(clone);
        }
        if (operation instanceof Operation.MoveRange move) {
            return ranges.move(move);
        }
        if (operation instanceof Operation.DeleteRange delete) {
            return ranges.delete(delete.range());
        }
        if (operation instanceof Operation.Truncate truncate) {
            return ranges.truncate(truncate.path(), truncate.length());
        }
        // Others read files as rows say that they are.
        ranges.close();
        if (operation instanceof Operation.CloneFile clone) {
            return ranges.cloneFile(clone);
        }
        if (operation instanceof Operation.CloneDirectory clone) {
            return new CloneOperations(transaction, names).clone(clone, nowMillis);
        }
        if (operation instanceof Operation.Rename rename) {
            return names.rename(rename.from(), rename.to(), rename.overwrite());
        }
        if (operation instanceof Operation.Link link) {
            return new LinkOperations(transaction, permissions).link(link);
        }
        if (operation instanceof Operation.MergeDirectory merge) {
            return new DirectoryMerge(transaction, names).merge(merge.from(), merge.to());
        }
        if (operation instanceof Operation.MergeEachDirectory merge) {
            return new DirectoryMerge(transaction, names).mergeEach(merge);
        }
        if (operation instanceof Operation.CreateFile create) {
            return files.create(create);
        }
        if (operation instanceof Operation.Delete delete) {
            return names.delete(delete.path(), delete.recursive());
        }
        if (operation instanceof Operation.MakeDirectory make) {
            Outcome made = names.mkdir(make.path(), make.attributes(), make.createParents(), nowMillis);
            return made == Outcome.EXISTS && make.createParents() && isDirectory(make) ? Outcome.DONE : made;
        }
        if (operation instanceof Operation.TakeSnapshot take) {
            SnapshotOperations.checkName(take.name());
            return snapshots.take(take, nowMillis);
        }
        if (operation instanceof Operation.RenameSnapshot rename) {
            SnapshotOperations.checkName(rename.to());
            return snapshots.rename(rename);
        }
        if (operation instanceof Operation.DropSnapshot drop) {
            return snapshots.drop(drop);
        }
        Operation.SetAttributes set = (Operation.SetAttributes) operation;
        return names.setAttributes(set.path(), set.change());
    }

    private boolean isDirectory(Operation.MakeDirectory make) throws IOException {
        return transaction
                .namespace()
                .find(make.path())
                .inode()
                .map(Inode::isDirectory)
                .orElse(false);
    }
}
