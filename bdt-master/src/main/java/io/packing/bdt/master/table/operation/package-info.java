// SPDX-License-Identifier: Apache-2.0
/**
 * The mutations of a mount's table: one class for each kind.
 *
 * <p>A mutation checks what its caller may do, changes the table by a
 * {@link io.packing.bdt.master.table.change.Transaction}, and journals what a recovery must know of it.
 */
@NullMarked
package io.packing.bdt.master.table.operation;

import org.jspecify.annotations.NullMarked;
