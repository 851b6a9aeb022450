// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

/** Restores of trees, in a table with nearly all maps in rows. */
class TreeRestoreInRowsTest extends TreeRestoreTest {
    TreeRestoreInRowsTest() {
        stores.maps = TestStores.ROWS;
    }
}
