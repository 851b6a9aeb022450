// SPDX-License-Identifier: Apache-2.0
/**
 * The background work of a mount: removal of deleted trees, collection of dead blobs, compaction of sparse ones, the limit of
 * the history, and the loop that does all of it and the uploads.
 */
@NullMarked
package io.packing.bdt.master.upkeep;

import org.jspecify.annotations.NullMarked;
