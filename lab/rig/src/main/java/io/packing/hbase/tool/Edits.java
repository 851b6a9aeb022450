// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.tool;

import io.packing.hbase.load.Family;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * A tool for numbered edits of the table of messages.
 *
 * <p>{@code write FIRST COUNT THREADS} prints {@code acked N} for each edit that HBase has acknowledged. {@code read}
 * prints {@code row N} for each edit in the table.
 */
public final class Edits {
    private static final byte[] QUALIFIER = "edit".getBytes(StandardCharsets.US_ASCII);
    /** The factor that spreads the numbers over the regions. */
    private static final long SPREAD = 0x9E3779B1L;

    private Edits() {}

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
            switch (args[0]) {
                case "write" ->
                    write(connection, Long.parseLong(args[1]), Long.parseLong(args[2]), Integer.parseInt(args[3]));
                case "read" -> read(connection);
                default -> throw new IllegalArgumentException("neither write nor read: " + args[0]);
            }
        }
    }

    private static byte[] key(long number) {
        return "%08x-%d".formatted(number * SPREAD & 0xffffffffL, number).getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] family() {
        return Family.ACTIONS.label().getBytes(StandardCharsets.US_ASCII);
    }

    private static void write(Connection connection, long first, long count, int threads)
            throws InterruptedException, ExecutionException {
        ExecutorService writers = Executors.newFixedThreadPool(threads);
        List<Future<Void>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            long from = first + i;
            all.add(writers.submit(() -> {
                try (Table table = connection.getTable(MessagesTable.NAME)) {
                    for (long number = from; number < first + count; number += threads) {
                        byte[] value = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
                        table.put(new Put(key(number)).addColumn(family(), QUALIFIER, value));
                        System.out.println("acked " + number);
                    }
                }
                return null;
            }));
        }
        for (Future<Void> each : all) {
            each.get();
        }
        writers.shutdown();
    }

    private static void read(Connection connection) throws IOException {
        try (Table table = connection.getTable(MessagesTable.NAME);
                ResultScanner rows = table.getScanner(new Scan().addColumn(family(), QUALIFIER))) {
            for (Result row : rows) {
                System.out.println("row " + new String(row.getValue(family(), QUALIFIER), StandardCharsets.US_ASCII));
            }
        }
    }
}
