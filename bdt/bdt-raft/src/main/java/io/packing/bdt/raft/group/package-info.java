// SPDX-License-Identifier: Apache-2.0
/**
 * The agreed state of a group's members: entries, tables, checkpoints, the lease. This package does not know how
 * members agree.
 */
@NullMarked
package io.packing.bdt.raft.group;

import org.jspecify.annotations.NullMarked;
