// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.tool;

import io.packing.hbase.load.Family;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A tool for the table of messages, which has one row per user and the eight families of Table 3.2.
 *
 * <p>Its commands are {@code create SERVERS}, {@code settle}, {@code snapshot NAME}, {@code restore NAME} and
 * {@code shutdown} (of all of HBase).
 */
public final class MessagesTable {
    public static final TableName NAME = TableName.valueOf(Family.TABLE);

    private static final int REGIONS_A_SERVER = 2;
    private static final long POLL_MILLIS = 200;

    private MessagesTable() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
                Admin admin = connection.getAdmin()) {
            switch (args[0]) {
                case "create" -> create(admin, Integer.parseInt(args[1]));
                case "settle" -> settle(admin);
                case "snapshot" -> admin.snapshot(args[1], NAME);
                case "restore" -> restore(admin, args[1]);
                case "shutdown" -> admin.shutdown();
                default ->
                    throw new IllegalArgumentException(
                            "none of create, settle, snapshot, restore and shutdown: " + args[0]);
            }
        }
    }

    /** Creates the table when all RegionServers are registered, since HBase deals its regions only once. */
    private static void create(Admin admin, int servers) throws IOException, InterruptedException {
        while (admin.getRegionServers().size() < servers) {
            Thread.sleep(POLL_MILLIS);
        }
        TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(NAME);
        for (Family family : Family.values()) {
            table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family.label()));
        }
        admin.createTable(table.build(), splits(servers * REGIONS_A_SERVER));
    }

    /** Returns the borders of the regions. Keys begin with eight hexadecimal digits, evenly spread. */
    static byte[][] splits(int regions) {
        byte[][] splits = new byte[regions - 1][];
        for (int i = 1; i < regions; i++) {
            splits[i - 1] = "%08x".formatted((1L << 32) * i / regions).getBytes(StandardCharsets.US_ASCII);
        }
        return splits;
    }

    /** Flushes every region and compacts each family of it into one file. */
    private static void settle(Admin admin) throws IOException, InterruptedException {
        admin.flush(NAME);
        admin.majorCompact(NAME);
        while (storeFiles(admin) > stores(admin)) {
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Restores the table from a snapshot of HBase. */
    private static void restore(Admin admin, String snapshot) throws IOException {
        admin.disableTable(NAME);
        admin.restoreSnapshot(snapshot);
        admin.enableTable(NAME);
    }

    private static int stores(Admin admin) throws IOException {
        return admin.getRegions(NAME).size() * Family.values().length;
    }

    private static int storeFiles(Admin admin) throws IOException {
        int files = 0;
        for (ServerName server : admin.getRegionServers()) {
            for (RegionMetrics region : admin.getRegionMetrics(server, NAME)) {
                files += region.getStoreFileCount();
            }
        }
        return files;
    }
}
