// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables;

import io.delta.kernel.DataWriteContext;
import io.delta.kernel.Operation;
import io.delta.kernel.Scan;
import io.delta.kernel.Table;
import io.delta.kernel.Transaction;
import io.delta.kernel.TransactionCommitResult;
import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.engine.FileReadResult;
import io.delta.kernel.exceptions.ConcurrentWriteException;
import io.delta.kernel.exceptions.MaxCommitRetryLimitReachedException;
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.data.ScanStateRow;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterable;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.DataFileStatus;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** A table of Delta Lake by its own kernel: a version is a file of the log, which must not be there before. */
final class DeltaRowTable implements RowTable {
    private static final String PROGRAM = "packing";
    private static final StructType SCHEMA = new StructType().add("id", LongType.LONG, false);

    private final Engine engine;
    private final String location;

    DeltaRowTable(Configuration configuration, String location) {
        engine = DefaultEngine.create(configuration);
        this.location = location;
    }

    /** A column of one number. */
    private record OneNumber(long value) implements ColumnVector {
        @Override
        public DataType getDataType() {
            return LongType.LONG;
        }

        @Override
        public int getSize() {
            return 1;
        }

        @Override
        public boolean isNullAt(int row) {
            return false;
        }

        @Override
        public long getLong(int row) {
            return value;
        }

        @Override
        public void close() {}
    }

    /** A batch of one row. */
    private record OneRow(OneNumber number) implements ColumnarBatch {
        @Override
        public StructType getSchema() {
            return SCHEMA;
        }

        @Override
        public ColumnVector getColumnVector(int ordinal) {
            return number;
        }

        @Override
        public int getSize() {
            return 1;
        }
    }

    private Table table() {
        return Table.forPath(engine, location);
    }

    @Override
    public void create() {
        TransactionCommitResult unused = table().createTransactionBuilder(engine, PROGRAM, Operation.CREATE_TABLE)
                .withSchema(engine, SCHEMA)
                .build(engine)
                .commit(engine, CloseableIterable.emptyIterable());
    }

    @Override
    public Append prepare(long row) throws IOException {
        // A writer tries once: a conflict is counted, and not hidden by retries.
        Transaction transaction = table().createTransactionBuilder(engine, PROGRAM, Operation.WRITE)
                .withMaxRetries(0)
                .build(engine);
        Row state = transaction.getTransactionState(engine);
        FilteredColumnarBatch data = new FilteredColumnarBatch(new OneRow(new OneNumber(row)), Optional.empty());
        DataWriteContext context = Transaction.getWriteContext(engine, state, Map.of());
        List<Row> actions = new ArrayList<>();
        try (CloseableIterator<FilteredColumnarBatch> physical = Transaction.transformLogicalData(
                        engine, state, Utils.singletonCloseableIterator(data), Map.of());
                CloseableIterator<DataFileStatus> files = engine.getParquetHandler()
                        .writeParquetFiles(context.getTargetDirectory(), physical, context.getStatisticsColumns());
                CloseableIterator<Row> added = Transaction.generateAppendActions(engine, state, files, context)) {
            added.forEachRemaining(actions::add);
        }
        return () -> {
            try {
                TransactionCommitResult unused = transaction.commit(
                        engine, CloseableIterable.inMemoryIterable(Utils.toCloseableIterator(actions.iterator())));
                return true;
            } catch (ConcurrentWriteException | MaxCommitRetryLimitReachedException e) {
                return false;
            }
        };
    }

    @Override
    public List<Long> rows() throws IOException {
        Scan scan = table().getLatestSnapshot(engine).getScanBuilder().build();
        Row state = scan.getScanState(engine);
        List<Long> rows = new ArrayList<>();
        try (CloseableIterator<FilteredColumnarBatch> batches = scan.getScanFiles(engine)) {
            while (batches.hasNext()) {
                try (CloseableIterator<Row> files = batches.next().getRows()) {
                    while (files.hasNext()) {
                        read(state, files.next(), rows);
                    }
                }
            }
        }
        return rows;
    }

    private void read(Row state, Row file, List<Long> into) throws IOException {
        FileStatus status = InternalScanFileUtils.getAddFileStatus(file);
        StructType physical = ScanStateRow.getPhysicalDataReadSchema(state);
        try (CloseableIterator<FileReadResult> found = engine.getParquetHandler()
                        .readParquetFiles(Utils.singletonCloseableIterator(status), physical, Optional.empty());
                CloseableIterator<FilteredColumnarBatch> logical =
                        Scan.transformPhysicalData(engine, state, file, found.map(FileReadResult::getData))) {
            while (logical.hasNext()) {
                try (CloseableIterator<Row> rows = logical.next().getRows()) {
                    rows.forEachRemaining(row -> into.add(row.getLong(0)));
                }
            }
        }
    }

    @Override
    public long commits() {
        return table().getLatestSnapshot(engine).getVersion();
    }
}
