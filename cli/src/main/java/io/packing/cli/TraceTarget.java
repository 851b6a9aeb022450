// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.trace.TraceSink;
import io.packing.trace.hadoop.ParquetSink;
import io.packing.trace.tools.ChromeTrace;
import io.packing.trace.tools.HtfsCsvSink;
import io.packing.trace.tools.JsonLines;
import io.packing.trace.tools.OracleGeneral;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The formats that traces are converted to. */
enum TraceTarget {
    JSONL {
        @Override
        TraceSink open(Path file, int blockBytes) throws IOException {
            return new JsonLines(create(file));
        }
    },
    CHROME {
        @Override
        TraceSink open(Path file, int blockBytes) throws IOException {
            return new ChromeTrace(create(file));
        }
    },
    ORACLE_GENERAL {
        @Override
        TraceSink open(Path file, int blockBytes) throws IOException {
            return new OracleGeneral(file, blockBytes);
        }
    },
    PARQUET {
        @Override
        TraceSink open(Path file, int blockBytes) throws IOException {
            return new ParquetSink(file);
        }
    },
    HTFS_CSV {
        @Override
        TraceSink open(Path file, int blockBytes) throws IOException {
            return new HtfsCsvSink(Files.newBufferedWriter(file, StandardOpenOption.CREATE_NEW));
        }
    };

    /**
     * Creates a file that must not be there yet.
     *
     * @param blockBytes size of objects, where the format has such
     */
    abstract TraceSink open(Path file, int blockBytes) throws IOException;

    private static OutputStream create(Path file) throws IOException {
        return new BufferedOutputStream(
                Files.newOutputStream(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }
}
