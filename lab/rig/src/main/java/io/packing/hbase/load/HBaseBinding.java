// SPDX-License-Identifier: Apache-2.0
package io.packing.hbase.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB's binding to the table of messages in HBase: a YCSB table is one of its column families, and a field a column.
 *
 * <p>Each YCSB client has its own binding; all share one connection.
 */
public final class HBaseBinding extends DB {
    private static final String CONNECTION = "messages.connection";
    /**
     * The limit of columns in a get. Readers want a log's newest records or an index's first entries, not a busy user's
     * all.
     */
    private static final int COLUMNS_A_GET = 40;

    private @Nullable Table table;

    @Override
    public void init() throws DBException {
        try {
            table = shared(getProperties()).getTable(TableName.valueOf(Family.TABLE));
        } catch (IOException | UncheckedIOException e) {
            throw new DBException(e);
        }
    }

    /**
     * Returns the clients' common connection. It is in YCSB's properties, which all clients share, and ends with the
     * process.
     */
    private static Connection shared(Properties properties) {
        return (Connection) properties.computeIfAbsent(CONNECTION, key -> {
            try {
                return ConnectionFactory.createConnection(HBaseConfiguration.create());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private Table table() {
        if (table == null) {
            throw new IllegalStateException("not initialized");
        }
        return table;
    }

    @Override
    public void cleanup() throws DBException {
        try {
            table().close();
        } catch (IOException e) {
            throw new DBException(e);
        }
    }

    @Override
    public Status read(String family, String key, @Nullable Set<String> columns, Map<String, ByteIterator> values) {
        Get get = new Get(bytes(key)).addFamily(bytes(family));
        if (columns == null) {
            get.setMaxResultsPerColumnFamily(COLUMNS_A_GET);
        } else {
            columns.forEach(column -> get.addColumn(bytes(family), bytes(column)));
        }
        return call(() -> add(table().get(get), values));
    }

    // YCSB's signature requires the type.
    @SuppressWarnings("NonApiType")
    @Override
    public Status scan(
            String family,
            String firstKey,
            int rows,
            @Nullable Set<String> columns,
            Vector<HashMap<String, ByteIterator>> values) {
        Scan scan = new Scan().withStartRow(bytes(firstKey)).setLimit(rows).addFamily(bytes(family));
        if (columns != null) {
            columns.forEach(column -> scan.addColumn(bytes(family), bytes(column)));
        }
        return call(() -> {
            try (ResultScanner results = table().getScanner(scan)) {
                for (Result result : results) {
                    HashMap<String, ByteIterator> row = new HashMap<>();
                    add(result, row);
                    values.add(row);
                }
            }
        });
    }

    @Override
    public Status update(String family, String key, Map<String, ByteIterator> values) {
        Put put = new Put(bytes(key));
        values.forEach((column, value) -> put.addColumn(bytes(family), bytes(column), value.toArray()));
        return call(() -> table().put(put));
    }

    @Override
    public Status insert(String family, String key, Map<String, ByteIterator> values) {
        return update(family, key, values);
    }

    /** Deletes the row's columns in this family. */
    @Override
    public Status delete(String family, String key) {
        return call(() -> table().delete(new Delete(bytes(key)).addFamily(bytes(family))));
    }

    /** A call of HBase. */
    private interface Body {
        void call() throws IOException;
    }

    private static Status call(Body body) {
        try {
            body.call();
            return Status.OK;
        } catch (IOException e) {
            // The stack trace goes to the log of this process; YCSB counts the status.
            e.printStackTrace();
            return Status.ERROR;
        }
    }

    private static void add(Result result, Map<String, ByteIterator> values) {
        if (result.isEmpty()) {
            return;
        }
        for (Cell cell : result.rawCells()) {
            values.put(
                    new String(CellUtil.cloneQualifier(cell), StandardCharsets.UTF_8),
                    new ByteArrayByteIterator(CellUtil.cloneValue(cell)));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
