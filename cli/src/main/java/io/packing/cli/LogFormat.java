// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFileWriter.FileOptions;
import io.packing.trace.syscalls.CallSource;
import io.packing.trace.syscalls.Irregularity;
import io.packing.trace.syscalls.UnrecordedReason;
import io.packing.trace.tools.HtfsCsvSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The logs that traces are made of. */
enum LogFormat {
    HTFS {
        @Override
        Map<String, Object> convert(Path log, Path out, String host, String task, long wallNanos) throws IOException {
            try (HtfsCsvSource source = new HtfsCsvSource(Files.newBufferedReader(log), host, wallNanos);
                    TraceFileWriter writer = TraceFileWriter.create(out)) {
                Map<String, Object> result = new LinkedHashMap<>();
                result.put("events", TraceCommand.copy(source, writer));
                result.put("skipped_lines", source.skipped());
                return result;
            }
        }
    },
    STRACE {
        @Override
        Map<String, Object> convert(Path log, Path out, String host, String task, long wallNanos) throws IOException {
            return calls(CallSource.ofLog(Files.newInputStream(log), host, task, wallNanos), out);
        }
    },
    DTRACE {
        @Override
        Map<String, Object> convert(Path log, Path out, String host, String task, long wallNanos) throws IOException {
            return calls(CallSource.ofDtraceLog(Files.newInputStream(log), host, task, wallNanos), out);
        }
    };

    private static Map<String, Object> calls(CallSource calls, Path out) throws IOException {
        try (CallSource source = calls;
                TraceFileWriter writer = TraceFileWriter.create(out, FileOptions.ofVersion(2))) {
            Map<String, Object> result = new LinkedHashMap<>();
            result.put("events", TraceCommand.copy(source, writer));
            result.put("unseen", RecordCommand.byLabel(source.unseen(), UnrecordedReason::label));
            result.put("irregular", RecordCommand.byLabel(source.irregular(), Irregularity::label));
            return result;
        }
    }

    /**
     * Makes a trace of a log.
     *
     * @param out a new file
     * @param task what was recorded, where the format has such
     * @param wallNanos when it was, for logs that do not say
     * @return what to tell of it
     */
    abstract Map<String, Object> convert(Path log, Path out, String host, String task, long wallNanos)
            throws IOException;
}
