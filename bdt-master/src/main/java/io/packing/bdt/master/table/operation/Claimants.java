// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.operation;

import io.packing.bdt.BdtUser;
import io.packing.bdt.master.table.read.Permissions;
import java.util.Optional;

/** Tells what those may do for whom files are claimed. Asked by the writer's thread, so it knows all answers beforehand. */
public interface Claimants {
    /** Files are claimed for users who may do everything. */
    Claimants ANYBODY = user -> Permissions.UNCHECKED;

    /** Returns what a user may do; empty: the worker itself. */
    Permissions of(Optional<BdtUser> user);
}
