// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

/** Collections beside snapshots, in a table with nearly all maps in rows. */
class SnapshotCollectionInRowsTest extends SnapshotCollectionTest {
    SnapshotCollectionInRowsTest() {
        stores.maps = TestStores.ROWS;
    }
}
