// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import org.junit.jupiter.api.Tag;

/** The comparison with a model that copies bytes, of a table with nearly all maps in rows. */
@Tag("hunt")
class SharedBytesModelInRowsTest extends SharedBytesModelTest {
    SharedBytesModelInRowsTest() {
        stores.maps = TestStores.ROWS;
    }
}
