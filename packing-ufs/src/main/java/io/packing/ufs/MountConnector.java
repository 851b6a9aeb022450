// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;

/** Opens the parts of a mount that a process of a given role needs. */
@FunctionalInterface
interface MountConnector {
    /**
     * Connects, or returns the present connection: it is shared, and the caller never closes it.
     *
     * @param host the host name under which Alluxio knows this process
     * @throws IOException with a message for the operator who mounts: a wrong option, an unreachable master or store
     */
    PackingFileSystem connect(AlluxioRole role, String host) throws IOException;
}
