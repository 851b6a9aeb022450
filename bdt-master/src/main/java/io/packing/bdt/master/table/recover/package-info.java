// SPDX-License-Identifier: Apache-2.0
/**
 * The way back of a mount's table: the replay of journals, and the return of files that a recovery lost.
 *
 * <p>It repeats mutations of {@code table.operation} in the order of the log.
 */
@NullMarked
package io.packing.bdt.master.table.recover;

import org.jspecify.annotations.NullMarked;
