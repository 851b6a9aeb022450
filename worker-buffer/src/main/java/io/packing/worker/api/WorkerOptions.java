// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.transport.Security;
import java.nio.file.Path;

/**
 * The configuration of a worker process.
 *
 * @param worker identifier, stable over restarts and unique among the workers of a master
 * @param bufferDirectory of the buffers, for one process at a time
 * @param host under which other workers reach this one
 * @param peerPort of the peer server; 0 takes a free one
 * @param security of the peer server, and of connections to other servers
 */
public record WorkerOptions(String worker, Path bufferDirectory, String host, int peerPort, Security security) {
    public WorkerOptions {
        if (!worker.matches("[A-Za-z0-9._-]{1,128}")) {
            throw new IllegalArgumentException("bad worker id '%s'".formatted(worker));
        }
        if (peerPort < 0 || peerPort > 65_535) {
            throw new IllegalArgumentException("bad port " + peerPort);
        }
    }

    /** Configures a worker without TLS, on loopback. */
    public WorkerOptions(String worker, Path bufferDirectory, String host, int peerPort) {
        this(worker, bufferDirectory, host, peerPort, Security.NONE);
    }
}
