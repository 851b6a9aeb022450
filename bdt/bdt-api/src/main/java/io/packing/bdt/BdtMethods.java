// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.util.List;
import java.util.Set;

/** The names of the calls of the BDT protocol, for code that forwards them without knowing their messages. */
public final class BdtMethods {
    /** The full name of the service. */
    public static final String SERVICE = "packing.bdt.v1.Bdt";

    public static final List<String> NAMES = List.of(
            "Open",
            "Options",
            "SetOptions",
            "Stat",
            "Locate",
            "List",
            "Find",
            "Access",
            "Scan",
            "Mkdir",
            "Delete",
            "Rename",
            "SetAttributes",
            "Quota",
            "SetQuota",
            "Apply",
            "Workers",
            "Statistics",
            "Checkpoint",
            "SealNow",
            "Register",
            "LeaseIds",
            "Known",
            "Note",
            "Fingerprints",
            "Claims",
            "Reclaim",
            "Reclaimed",
            "Heartbeat");

    /** The calls of workers for their sessions: a late one costs the lease. */
    public static final Set<String> OF_SESSIONS = Set.of(
            "Register", "LeaseIds", "Known", "Note", "Fingerprints", "Claims", "Reclaim", "Reclaimed", "Heartbeat");

    private BdtMethods() {}
}
