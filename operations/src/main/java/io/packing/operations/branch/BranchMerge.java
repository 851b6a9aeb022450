// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.branch;

import io.packing.bdt.Bdt;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;

/** The merge of a branch into its origin: one vector, or a list of conflicts. The branch stays as it is. */
public final class BranchMerge {
    private static final int TRIES = 5;

    private BranchMerge() {}

    /** The result of a merge. */
    public sealed interface Result {
        /**
         * The origin has the changes of the branch.
         *
         * @param changes paths of the origin that changed
         * @param operations of the vector
         */
        record Merged(int changes, int operations) implements Result {}

        /** The origin is as it was. */
        record Conflicting(List<BranchConflict> conflicts) implements Result {
            public Conflicting {
                conflicts = List.copyOf(conflicts);
            }
        }
    }

    /** A refusal of the vector of a merge. The origin is as it was. */
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

    /**
     * Merges the changes of a branch since its base. A concurrent change of the origin makes it look again.
     *
     * @param below only changes at this path and below it, relative to the branch
     * @throws IllegalArgumentException when a vector cannot hold the changes
     * @throws RefusedException when an operation is impossible, or the origin changes again and again
     */
    public static Result merge(Bdt bdt, Branch branch, FilePath below) throws IOException {
        for (int tries = 1; ; tries++) {
            MergePlan plan = new MergePlan(bdt, branch);
            new ThreeTrees(bdt, branch).branchChanges(below, plan::add);
            List<BranchConflict> conflicts = plan.conflicts();
            if (!conflicts.isEmpty()) {
                return new Result.Conflicting(conflicts);
            }
            if (plan.changes() == 0) {
                return new Result.Merged(0, 0);
            }
            OperationVector vector = plan.vector();
            if (!(bdt.apply(vector) instanceof VectorResult.Refused refused)) {
                return new Result.Merged(plan.changes(), vector.operations().size());
            }
            if (tries == TRIES) {
                throw new RefusedException(vector, refused);
            }
        }
    }
}
