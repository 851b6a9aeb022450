// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.ScanPart;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Lost bytes that no path shows any more, since a directory and its clone have deleted their files: an operator accepts their loss. */
class LostBehindClonesTest extends LostFilesFixture {
    private void apply(Operation operation) throws IOException {
        assertThat(table.apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
    }

    private void loseWorker() throws IOException {
        session = register("w");
        session.reclaimed();
    }

    private void assertLossIsAccepted() throws IOException {
        Mount mount = master.openMount(TestStores.MOUNT);
        awaitStatistics();
        assertThat(table.statistics().lostFiles()).isEqualTo(1);
        assertThat(mount.acceptLosses())
                .containsExactly("1 lost files of 8 bytes that only snapshots or clones of directories keep");
        awaitStatistics();
        assertThat(table.statistics().lostFiles()).isZero();
        assertThat(mount.acceptLosses()).isEmpty();
    }

    @Test
    void aLostFileThatTheCloneHasDeletedToo() throws IOException {
        granted(session, "/o/f");
        apply(new Operation.CloneDirectory(new FilePath("/o"), new FilePath("/c")));
        loseWorker();
        assertThat(table.statistics().lostFiles()).isPositive();
        delete("/o/f");
        delete("/c/f");
        assertLossIsAccepted();
    }

    @Test
    void aLostFileOfWhichAFileHadAClone() throws IOException {
        granted(session, "/o/f");
        apply(new Operation.CloneFile(new FilePath("/o/f"), new FilePath("/o/g"), false, AttributeChange.NONE));
        apply(new Operation.CloneDirectory(new FilePath("/o"), new FilePath("/c")));
        loseWorker();
        for (String path : new String[] {"/o/f", "/o/g", "/c/f", "/c/g"}) {
            delete(path);
        }
        assertLossIsAccepted();
    }

    @Test
    void aLostFileThatHasANameIsNotAccepted() throws IOException {
        granted(session, "/o/f");
        apply(new Operation.CloneDirectory(new FilePath("/o"), new FilePath("/c")));
        apply(new Operation.CloneFile(new FilePath("/o/f"), new FilePath("/g"), false, AttributeChange.NONE));
        loseWorker();
        delete("/o/f");
        awaitStatistics();
        assertThat(master.openMount(TestStores.MOUNT).acceptLosses()).isEmpty();
        assertThat(table.statistics().lostFiles()).isEqualTo(1);
    }

    @Test
    void theLossIsOfNoConcernWhenTheCloneIsGone() throws IOException {
        granted(session, "/o/f");
        apply(new Operation.CloneDirectory(new FilePath("/o"), new FilePath("/c")));
        loseWorker();
        delete("/o/f");
        delete("/c/f");
        assertLossIsAccepted();
        delete("/c");
        UpkeepByHand upkeep = new UpkeepByHand(master.openMount(TestStores.MOUNT), stores.objects, work, 0.9);
        while (upkeep.trim()) {
            Thread.onSpinWait();
        }
        assertThat(table.scan(ScanPart.CONTENTS, "").files()).isEmpty();
        assertThat(table.statistics().lostFiles()).isZero();
    }
}
