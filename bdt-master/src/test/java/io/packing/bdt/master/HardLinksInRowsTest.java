// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

/** Files with several names, in a table with nearly all maps in rows. */
class HardLinksInRowsTest extends HardLinksTest {
    HardLinksInRowsTest() {
        stores.maps = TestStores.ROWS;
    }
}
