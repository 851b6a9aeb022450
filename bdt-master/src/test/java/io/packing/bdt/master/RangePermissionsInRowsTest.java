// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

/** Rights to ranges, in a table with nearly all maps in rows. */
class RangePermissionsInRowsTest extends RangePermissionsTest {
    RangePermissionsInRowsTest() {
        stores.maps = TestStores.ROWS;
    }
}
