// SPDX-License-Identifier: Apache-2.0
/**
 * The path of a mount's changes to durability: {@link io.packing.bdt.master.log.BatchStore} as others may implement it, the log in
 * local files with the store behind it, and the one writer, which makes batches of mutations and hands them over.
 */
@NullMarked
package io.packing.bdt.master.log;

import org.jspecify.annotations.NullMarked;
