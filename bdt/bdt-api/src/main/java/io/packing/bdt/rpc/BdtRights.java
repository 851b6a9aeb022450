// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import static io.packing.transport.identity.Role.CALLER;
import static io.packing.transport.identity.Role.CLIENT;
import static io.packing.transport.identity.Role.DAEMON;
import static io.packing.transport.identity.Role.MASTER;
import static io.packing.transport.identity.Role.SUPERUSER;
import static java.util.Map.entry;

import io.packing.transport.identity.MethodRoles;
import java.util.Map;

/**
 * The role that a caller of each method of a BDT master needs. Without an entry for a new method no master starts.
 * docs/security.md repeats the list.
 */
public final class BdtRights {
    public static final MethodRoles RIGHTS = MethodRoles.of(
                    BdtGrpc.getServiceDescriptor(),
                    Map.ofEntries(
                            entry("Open", CLIENT),
                            entry("Options", CLIENT),
                            entry("SetOptions", SUPERUSER),
                            entry("Stat", CLIENT),
                            entry("Locate", CLIENT),
                            entry("List", CLIENT),
                            entry("Find", CLIENT),
                            entry("Access", CLIENT),
                            entry("Scan", SUPERUSER),
                            entry("Mkdir", CLIENT),
                            entry("Delete", CLIENT),
                            entry("Rename", CLIENT),
                            entry("SetAttributes", CLIENT),
                            entry("Quota", CLIENT),
                            // The master checks for a superuser by the rights on files, as for chown: members of the
                            // supergroup count.
                            entry("SetQuota", CLIENT),
                            entry("Apply", CLIENT),
                            entry("Workers", CLIENT),
                            entry("Statistics", CLIENT),
                            entry("Checkpoint", SUPERUSER),
                            entry("SealNow", SUPERUSER),
                            entry("Register", DAEMON),
                            entry("LeaseIds", DAEMON),
                            entry("Known", DAEMON),
                            entry("Note", DAEMON),
                            entry("Fingerprints", DAEMON),
                            entry("Claims", DAEMON),
                            entry("Reclaim", DAEMON),
                            entry("Reclaimed", DAEMON),
                            entry("Heartbeat", DAEMON)))
            .and(MethodRoles.of(
                    TokensGrpc.getServiceDescriptor(),
                    Map.of("Issue", CLIENT, "Login", CALLER, "Renew", CLIENT, "Cancel", CLIENT, "Keys", DAEMON)))
            .and(MethodRoles.of(
                    OperationsGrpc.getServiceDescriptor(),
                    Map.of("Mounts", SUPERUSER, "Drain", SUPERUSER, "Accept", SUPERUSER, "Evacuate", SUPERUSER)))
            .and(MethodRoles.of(
                    GroupsGrpc.getServiceDescriptor(),
                    Map.of(
                            "Table", SUPERUSER,
                            "Assign", SUPERUSER,
                            "Move", SUPERUSER,
                            "Change", MASTER,
                            "Receive", MASTER)));

    private BdtRights() {}
}
