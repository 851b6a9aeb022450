// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A file that was renamed over another one, after a snapshot of that, comes back with its worker after a loss. */
class LostOverOlderTest extends LostFilesFixture {
    private void apply(Operation operation) throws IOException {
        assertThat(table.apply(OperationVector.of(operation))).isInstanceOf(VectorResult.Applied.class);
    }

    private FileVersion seen(String path) throws IOException {
        Placement placement = table.locate(new FilePath(path)).orElseThrow().placement();
        return ((Placement.Mapped) placement).pieces().get(0).content().status().version();
    }

    @Test
    void whatSnapshotsSawInItsPlaceStays() throws IOException {
        Reclaim older = granted(session, "/a");
        Reclaim replaced = granted(session, "/d/b");
        buffered.addAll(List.of(older, replaced));
        push(true);
        apply(new Operation.TakeSnapshot(new FilePath("/d"), "first"));
        // Overwrites the older one, is newer than the first snapshot, and older than the second.
        Reclaim held = granted(session, "/a");
        apply(new Operation.TakeSnapshot(new FilePath("/d"), "second"));
        apply(new Operation.Rename(new FilePath("/a"), new FilePath("/d/b"), true));
        for (String snapshot : List.of("first", "second")) {
            assertThat(seen("/d/.snapshot/" + snapshot + "/b")).as(snapshot).isEqualTo(replaced.version());
        }
        uploadJournal();
        loseMaster();
        assertThat(session.reclaim(List.of(held))).containsExactly(Optional.of(held.version()));
        for (String snapshot : List.of("first", "second")) {
            assertThat(seen("/d/.snapshot/" + snapshot + "/b")).as(snapshot).isEqualTo(replaced.version());
        }
    }
}
