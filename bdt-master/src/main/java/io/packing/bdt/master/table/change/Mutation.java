// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import java.io.IOException;

/** A change of a mount's table that takes effect whole or, when it throws, not at all. */
@FunctionalInterface
public interface Mutation<T> {
    T apply(Transaction transaction) throws IOException;
}
