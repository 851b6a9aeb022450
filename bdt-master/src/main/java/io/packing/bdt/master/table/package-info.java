/**
 * The table of a mount as a state machine: rows in, rows out. Here stands what a row says, and what each mutation does to the
 * rows and to what is counted beside them.
 *
 * <p>It knows the sorted store in which the rows are, and neither gRPC, nor the backing store, nor the log, nor threads of its
 * own: {@link io.packing.bdt.master.table.TableWriter} is how it asks for a mutation to be made durable.
 */
@NullMarked
package io.packing.bdt.master.table;

import org.jspecify.annotations.NullMarked;
