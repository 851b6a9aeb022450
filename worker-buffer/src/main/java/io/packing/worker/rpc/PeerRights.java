// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.rpc;

import io.packing.transport.identity.MethodRoles;
import io.packing.transport.identity.Role;
import java.util.Map;

/**
 * The role that a caller of each method of a worker needs. Without an entry for a new method no worker starts.
 * docs/security.md repeats the list.
 */
public final class PeerRights {
    public static final MethodRoles RIGHTS = MethodRoles.of(
            PeerGrpc.getServiceDescriptor(),
            Map.of(
                    "Read",
                    Role.CLIENT,
                    "ReadStored",
                    Role.CLIENT,
                    "ReadBatch",
                    Role.CLIENT,
                    "Flush",
                    Role.SUPERUSER,
                    "Write",
                    Role.CLIENT,
                    "WriteLarge",
                    Role.CLIENT));

    private PeerRights() {}
}
