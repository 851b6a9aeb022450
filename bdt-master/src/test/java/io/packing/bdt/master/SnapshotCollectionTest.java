// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A blob whose files only a snapshot has is alive, also after a rebuild from the store, until the snapshot is dropped. */
class SnapshotCollectionTest extends MountFixture {
    private static final FilePath DIRECTORY = new FilePath("/d");
    private static final FilePath KEPT = new FilePath("/d/.snapshot/s/f");

    private void apply(Operation operation) throws IOException {
        assertThat(table.apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
    }

    private void assertKept() throws IOException {
        LocatedFile file = table.locate(KEPT).orElseThrow();
        Placement.Mapped mapped = (Placement.Mapped) file.placement();
        assertThat(mapped.pieces()).hasSize(1);
        assertThat(mapped.pieces().get(0).content().placement()).isInstanceOf(Placement.Packed.class);
        assertThat(table.statistics().deadBytes()).isLessThan(table.statistics().blobBytes());
    }

    @Test
    void aBlobIsAliveAsLongAsASnapshotNeedsIt() throws IOException {
        // Of three ids one is a file without bytes.
        claim("/other");
        claim("/other2");
        claim("/d/f");
        if (table.stat(new FilePath("/d/f")).orElseThrow().attributes().length() == 0) {
            claim("/d/f");
        }
        push(true);
        apply(new Operation.TakeSnapshot(DIRECTORY, "s"));
        for (String path : new String[] {"/d/f", "/other", "/other2"}) {
            assertThat(table.delete(new FilePath(path), false)).isEqualTo(Outcome.DONE);
        }
        assertKept();
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        loseMaster();
        assertKept();
        table.checkpoint();
        loseMaster();
        assertKept();
        apply(new Operation.DropSnapshot(DIRECTORY, "s"));
        while (table.statistics().deadBytes() < table.statistics().blobBytes()) {
            if (!master.openMount(TestStores.MOUNT).upkeep().step()) {
                Thread.onSpinWait();
            }
        }
        assertThat(table.stat(KEPT)).isEmpty();
    }

    /** A directory moved to a name after the snapshot may itself be older than the snapshot. */
    @Test
    void whatCameAfterASnapshotDoesNotAppearInItWhenALaterOneIsDropped() throws IOException {
        claim("/x/old/f");
        claim("/d/other");
        apply(new Operation.TakeSnapshot(FilePath.ROOT, "before"));
        claim("/d/place");
        apply(new Operation.TakeSnapshot(DIRECTORY, "s"));
        FilePath place = new FilePath("/d/place");
        assertThat(table.delete(place, false)).isEqualTo(Outcome.DONE);
        assertThat(table.rename(new FilePath("/x/old"), place)).isEqualTo(Outcome.DONE);
        apply(new Operation.DropSnapshot(DIRECTORY, "s"));
        while (rowsOf((byte) 's') > 1) {
            if (!master.openMount(TestStores.MOUNT).upkeep().step()) {
                Thread.onSpinWait();
            }
        }
        Map<String, FileStatus> seen = new TreeMap<>();
        list(new FilePath("/.snapshot/before"), seen);
        assertThat(seen.keySet().stream().map(path -> path.substring("/.snapshot/before".length())))
                .containsExactly("/d", "/d/other", "/x", "/x/old", "/x/old/f");
    }
}
