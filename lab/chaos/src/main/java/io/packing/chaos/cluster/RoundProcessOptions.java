// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import java.util.Map;

/**
 * The configuration of a round's processes.
 *
 * @param workers number of workers
 * @param masterEngine of the table
 * @param mount options of the mount, without those of the store
 */
public record RoundProcessOptions(int workers, String masterEngine, Map<String, String> mount) {
    public RoundProcessOptions {
        if (workers < 1) {
            throw new IllegalArgumentException("a round needs a worker");
        }
        mount = Map.copyOf(mount);
    }
}
