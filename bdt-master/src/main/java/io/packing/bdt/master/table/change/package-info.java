// SPDX-License-Identifier: Apache-2.0
/**
 * Changes of a mount's table: the rows, with the bookkeeping that every change entails.
 *
 * <p>{@link io.packing.bdt.master.table.change.Transaction} is where a mutation begins. State beside the rows is
 * {@link io.packing.bdt.master.table.row.Staged}: it is kept or taken back with them.
 */
@NullMarked
package io.packing.bdt.master.table.change;

import org.jspecify.annotations.NullMarked;
