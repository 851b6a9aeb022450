// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables;

import com.google.common.collect.Iterables;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.PlannedDataReader;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.types.Types;

/** A table of Iceberg's Hadoop tables: a version is the rename of its metadata file to a name that must be free. */
final class IcebergRowTable implements RowTable {
    private static final Schema SCHEMA = new Schema(Types.NestedField.required(1, "id", Types.LongType.get()));

    private final HadoopTables tables;
    private final String location;

    IcebergRowTable(Configuration configuration, String location) {
        tables = new HadoopTables(configuration);
        this.location = location;
    }

    @Override
    public void create() {
        // A writer tries once: a conflict is counted, and not hidden by retries.
        Table unused = tables.create(
                SCHEMA,
                PartitionSpec.unpartitioned(),
                Map.of(TableProperties.COMMIT_NUM_RETRIES, "0", TableProperties.DEFAULT_FILE_FORMAT, "avro"),
                location);
    }

    @Override
    public Append prepare(long row) throws IOException {
        AppendFiles append = append(tables.load(location), location, row);
        return () -> {
            try {
                append.commit();
                return true;
            } catch (CommitFailedException e) {
                return false;
            }
        };
    }

    /** Writes a row's file, and begins its append to a table. */
    static AppendFiles append(Table table, String location, long row) throws IOException {
        String name = "%s/data/%d-%s.avro".formatted(location, row, UUID.randomUUID());
        DataWriter<Record> writer = Avro.writeData(table.io().newOutputFile(name))
                .schema(SCHEMA)
                .createWriterFunc(org.apache.iceberg.data.avro.DataWriter::create)
                .withSpec(PartitionSpec.unpartitioned())
                .build();
        try (writer) {
            Record record = GenericRecord.create(SCHEMA);
            record.setField("id", row);
            writer.write(record);
        }
        return table.newAppend().appendFile(writer.toDataFile());
    }

    @Override
    public List<Long> rows() throws IOException {
        return rows(tables.load(location));
    }

    /** Reads all rows of a table's version. */
    static List<Long> rows(Table table) throws IOException {
        List<Long> rows = new ArrayList<>();
        try (CloseableIterable<FileScanTask> files = table.newScan().planFiles()) {
            for (FileScanTask file : files) {
                try (CloseableIterable<Record> records = Avro.read(
                                table.io().newInputFile(file.file().location()))
                        .project(SCHEMA)
                        .createResolvingReader(PlannedDataReader::create)
                        .build()) {
                    records.forEach(each -> rows.add((Long) each.getField("id")));
                }
            }
        }
        return rows;
    }

    @Override
    public long commits() {
        return Iterables.size(tables.load(location).snapshots());
    }
}
