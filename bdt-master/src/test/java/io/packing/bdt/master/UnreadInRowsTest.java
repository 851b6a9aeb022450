// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

/** Recoveries that miss an object, to a table with nearly all maps in rows. */
class UnreadInRowsTest extends UnreadTest {
    UnreadInRowsTest() {
        stores.maps = TestStores.ROWS;
    }
}
