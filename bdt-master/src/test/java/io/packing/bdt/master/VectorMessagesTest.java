// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Refusals of vectors: the client learns the impossible operation and the snapshots in its way. */
final class VectorMessagesTest extends MountFixture {
    private static final FilePath DIRECTORY_PATH = new FilePath("/d");
    private static final Operation MAKE = new Operation.MakeDirectory(new FilePath("/other"), DIRECTORY, true);

    @Test
    void theOperationAndEverySnapshotAreNamed() throws IOException {
        claim("/d/f");
        apply(new Operation.TakeSnapshot(DIRECTORY_PATH, "s1"), new Operation.TakeSnapshot(DIRECTORY_PATH, "s2"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> apply(MAKE, new Operation.Delete(DIRECTORY_PATH, true)))
                .withMessage("operation 1: /d has the snapshots s1 of /d, s2 of /d: drop them first");
        assertThat(table.stat(new FilePath("/other"))).isEmpty();
    }

    @Test
    void ofManySnapshotsTenAreNamed() throws IOException {
        claim("/d/f");
        for (int i = 0; i < 20; i++) {
            apply(new Operation.TakeSnapshot(DIRECTORY_PATH, "n" + i));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> apply(new Operation.Delete(DIRECTORY_PATH, true)))
                .withMessageContaining("n0 of /d, ")
                .withMessageContaining("n9 of /d, others: drop them first")
                .withMessageMatching("(?s)(?!.*n10).*");
    }

    private void apply(Operation... operations) throws IOException {
        assertThat(table.apply(OperationVector.of(operations))).isInstanceOf(VectorResult.Applied.class);
    }
}
