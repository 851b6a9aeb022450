// SPDX-License-Identifier: Apache-2.0
/**
 * The rows of a mount's table: their keys, what their bytes say, and the values of which they are made.
 *
 * <p>Nothing here knows a path, or decides anything. {@link io.packing.bdt.master.table.row.Rows} reads rows, and
 * {@link io.packing.bdt.master.table.row.WriteSet} has the rows that mutations are about to change.
 */
@NullMarked
package io.packing.bdt.master.table.row;

import org.jspecify.annotations.NullMarked;
