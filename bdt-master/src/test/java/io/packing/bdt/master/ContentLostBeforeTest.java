// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Placement;
import io.packing.bdt.Reclaim;
import io.packing.bdt.VectorResult;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bytes that came back after one recovery, that only clones have, and that were compacted since, are found by the next. */
class ContentLostBeforeTest extends LostFilesFixture {
    @Test
    void aContentIsCommittedFromItsFooter() throws IOException {
        claim("/other");
        push(true);
        Reclaim held = granted(session, "/a");
        loseMaster();
        assertThat(session.reclaim(List.of(held))).containsExactly(Optional.of(held.version()));
        session.reclaimed();
        Operation copy = new Operation.CloneFile(new FilePath("/a"), new FilePath("/b"), false, AttributeChange.NONE);
        assertThat(table.apply(OperationVector.of(copy))).isInstanceOf(VectorResult.Applied.class);
        delete("/a");
        table.checkpoint();
        for (String path : List.of("/x", "/y", "/z")) {
            claim(path);
        }
        buffered.add(held);
        push(true);
        for (String path : List.of("/x", "/y", "/z")) {
            delete(path);
        }
        UpkeepByHand upkeep = new UpkeepByHand(master.openMount(TestStores.MOUNT), stores.objects, work, 0.9);
        upkeep.compact();
        assertThat(stores.objects.keys("blobs/")).anyMatch(key -> key.contains(BlobRow.COMPACTED));
        loseMaster();
        session.reclaimed();
        Placement placement = table.locate(new FilePath("/b")).orElseThrow().placement();
        assertThat(((Placement.Mapped) placement).pieces().get(0).content().placement())
                .isInstanceOf(Placement.Packed.class);
    }
}
