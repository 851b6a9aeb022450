package io.packing.bdt.master.table;

import io.packing.bdt.Claim;

/** Tells what those may do for whom files are claimed. Asked by the writer's thread, so it knows all answers beforehand. */
public interface Claimants {
    /** Nobody is asked for whom a file is. */
    Claimants ANYBODY = claim -> Permissions.UNCHECKED;

    Permissions of(Claim claim);
}
