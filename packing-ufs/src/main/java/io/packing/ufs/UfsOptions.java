// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import alluxio.conf.PropertyKey;
import alluxio.underfs.UnderFileSystemConfiguration;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The settings of a mount and its process. These are the BDT master, the {@code packing.} options of the mount and,
 * below them, of Alluxio's site properties, and the facts that make a worker of this process distinct.
 *
 * @param master {@code host:port} of the BDT master
 * @param options every set option whose key starts with {@code packing.}
 * @param workerPort the RPC port of Alluxio's worker in this process, which tells workers on one host apart
 * @param workDirectory where Alluxio keeps its own state on this node
 */
record UfsOptions(String master, Map<String, String> options, int workerPort, Path workDirectory) {
    private static final String PREFIX = "packing.";

    UfsOptions {
        options = Map.copyOf(options);
    }

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException when the URI names no master
     */
    static UfsOptions from(String uri, UnderFileSystemConfiguration configuration) {
        Map<String, String> options = new HashMap<>();
        for (PropertyKey key : configuration.keySet()) {
            // Alluxio remembers the keys of every mount it ever saw; only those with a value are of this one.
            if (key.getName().startsWith(PREFIX) && configuration.isSet(key)) {
                options.put(key.getName(), configuration.get(key).toString());
            }
        }
        return new UfsOptions(
                UfsPaths.authority(uri),
                options,
                configuration.getInt(PropertyKey.WORKER_RPC_PORT),
                Path.of(configuration.getString(PropertyKey.WORK_DIR)));
    }
}
