// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

/** Counts before and after a recovery, of a table with nearly all maps in rows. */
class RecountModelInRowsTest extends RecountModelTest {
    RecountModelInRowsTest() {
        stores.maps = TestStores.ROWS;
    }
}
