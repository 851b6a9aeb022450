// SPDX-License-Identifier: Apache-2.0
/**
 * A master's objects in the backing store: backups and journals of tables, leases of masters, and the recovery of a table from
 * them.
 */
@NullMarked
package io.packing.bdt.master.cloud;

import org.jspecify.annotations.NullMarked;
