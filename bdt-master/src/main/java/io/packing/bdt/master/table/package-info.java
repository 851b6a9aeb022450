// SPDX-License-Identifier: Apache-2.0
/**
 * The table of a mount as a state machine: rows in, rows out. It defines the content of a row, and the effect of each mutation
 * on the rows and on the counters beside them.
 *
 * <p>It knows the sorted store in which the rows are, and neither gRPC, nor the backing store, nor the log, nor threads of its
 * own: {@link io.packing.bdt.master.table.TableWriter} is how it asks for a mutation to be made durable.
 */
@NullMarked
package io.packing.bdt.master.table;

import org.jspecify.annotations.NullMarked;
