// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.BlobName;
import org.junit.jupiter.api.Test;

/** Rows of blobs. */
class BlobRowTest {
    @Test
    void aRowOfAnOlderVersionHasNoFraming() {
        BlobName name = new BlobName("w", 100, 1);
        BlobRow framed = new BlobRow(name, 150, 40, true, 110);
        assertThat(BlobRow.decode(framed.encode())).isEqualTo(framed);
        BlobRow older = new BlobRow(name, 150, 40, true, 0);
        assertThat(older.encode().length).isLessThan(framed.encode().length);
        assertThat(BlobRow.decode(older.encode())).isEqualTo(older);
        assertThat(framed.dead()).isZero();
        assertThat(older.dead()).isEqualTo(110);
    }
}
