// SPDX-License-Identifier: Apache-2.0
/**
 * Answers to questions about a mount's table: what a path leads to, where bytes are, and what a caller may do.
 *
 * <p>A class here reads rows and changes none. {@link io.packing.bdt.master.table.read.Namespace} is where a question begins.
 */
@NullMarked
package io.packing.bdt.master.table.read;

import org.jspecify.annotations.NullMarked;
