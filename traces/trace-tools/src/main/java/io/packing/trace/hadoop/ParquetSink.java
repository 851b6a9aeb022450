// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.hadoop;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceSink;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;

/** A writer of a Parquet file with one row per event. Section 8 of trace-format.md describes its columns. */
public final class ParquetSink implements TraceSink {
    private final ParquetWriter<TraceEvent> writer;

    private static final class Builder extends ParquetWriter.Builder<TraceEvent, Builder> {
        Builder(OutputFile file) {
            super(file);
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        protected WriteSupport<TraceEvent> getWriteSupport(Configuration conf) {
            return new EventRows();
        }

        @Override
        protected WriteSupport<TraceEvent> getWriteSupport(ParquetConfiguration conf) {
            return new EventRows();
        }
    }

    /** @param file must not exist yet */
    public ParquetSink(Path file) throws IOException {
        writer = new Builder(new LocalOutputFile(file))
                .withConf(new PlainParquetConfiguration())
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .build();
    }

    @Override
    public void write(TraceEvent event) throws IOException {
        writer.write(event);
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
