// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase;

import java.util.LinkedHashMap;
import java.util.Map;

/** HBase's settings that differ from its defaults. */
final class HBaseOptions {
    private HBaseOptions() {}

    static Map<String, String> clients(String root, int zooKeeperPort, String cluster) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("hbase.rootdir", root);
        settings.put("hbase.cluster.distributed", "true");
        settings.put("hbase.zookeeper.quorum", HdfsCluster.HOST);
        settings.put("hbase.zookeeper.property.clientPort", Integer.toString(zooKeeperPort));
        settings.put("zookeeper.znode.parent", "/" + cluster);
        return settings;
    }

    /**
     * Returns the servers' settings, with small memstores and a small cache. So a minute has an hour's flushes,
     * compactions and reads of a big server.
     */
    static Map<String, String> servers(int regionServers) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String role : new String[] {"master", "regionserver"}) {
            settings.put("hbase.%s.port".formatted(role), "0");
            settings.put("hbase.%s.info.port".formatted(role), "-1");
            settings.put("hbase.%s.ipc.address".formatted(role), HdfsCluster.HOST);
            settings.put("hbase.%s.hostname".formatted(role), "localhost");
        }
        // The default provider bypasses the HDFS client and does not work with the leases of this Hadoop.
        settings.put("hbase.wal.provider", "filesystem");
        settings.put("hbase.master.wait.on.regionservers.mintostart", Integer.toString(regionServers));
        settings.put("hbase.regionserver.handler.count", "12");
        settings.put("hbase.regionserver.msginterval", "1000");
        settings.put("hbase.hregion.memstore.flush.size", Integer.toString(2 << 20));
        settings.put("hbase.hregion.percolumnfamilyflush.size.lower.bound.min", Integer.toString(256 << 10));
        settings.put("hfile.block.cache.size", "0.05");
        return settings;
    }
}
