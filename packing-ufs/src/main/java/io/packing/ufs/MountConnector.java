package io.packing.ufs;

import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;

/** Opens what a process of a given role needs to serve the mount. */
@FunctionalInterface
interface MountConnector {
    /**
     * Connects, or returns what is connected already: what it returns is shared and never closed by the caller.
     *
     * @param host the host name under which Alluxio knows this process
     * @throws IOException with a message for the one who mounts: a wrong option, an unreachable master or store
     */
    PackingFileSystem connect(Role role, String host) throws IOException;
}
