package io.packing.chaos.cluster;

import java.util.Map;

/**
 * How a round's processes are configured.
 *
 * @param workers how many
 * @param masterEngine of the table
 * @param mount options of the mount, without those of the store
 */
public record Site(int workers, String masterEngine, Map<String, String> mount) {
    public Site {
        if (workers < 1) {
            throw new IllegalArgumentException("a round needs a worker");
        }
        mount = Map.copyOf(mount);
    }
}
