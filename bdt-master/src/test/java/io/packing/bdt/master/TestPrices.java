// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.options.PriceTable;

/** Prices of stores that a test makes up. */
final class TestPrices {
    /** Requests cost nothing, and bytes something: each compaction pays. */
    static final PriceTable FREE_REQUESTS = new PriceTable(0, 0, 0, 0, 1, 1, 0, 1);

    private TestPrices() {}
}
