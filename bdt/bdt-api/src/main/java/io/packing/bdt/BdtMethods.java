package io.packing.bdt;

import java.util.List;
import java.util.Set;

/** The calls of the BDT protocol by name, for those who pass them on without knowing their messages. */
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
            "Claims",
            "Reclaim",
            "Reclaimed",
            "Heartbeat");

    /** Those that workers call for their sessions: a lease is lost when they are late. */
    public static final Set<String> OF_SESSIONS =
            Set.of("Register", "LeaseIds", "Known", "Claims", "Reclaim", "Reclaimed", "Heartbeat");

    private BdtMethods() {}
}
