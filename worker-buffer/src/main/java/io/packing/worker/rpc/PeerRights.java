package io.packing.worker.rpc;

import io.packing.transport.identity.Rights;
import io.packing.transport.identity.Role;
import java.util.Map;

/** Who may call which method of a worker. A new method needs an entry, or no worker starts. docs/security.md repeats it. */
public final class PeerRights {
    public static final Rights RIGHTS = Rights.of(
            PeerGrpc.getServiceDescriptor(),
            Map.of(
                    "Read",
                    Role.CLIENT,
                    "ReadStored",
                    Role.CLIENT,
                    "Flush",
                    Role.SUPERUSER,
                    "Write",
                    Role.CLIENT,
                    "WriteLarge",
                    Role.CLIENT));

    private PeerRights() {}
}
