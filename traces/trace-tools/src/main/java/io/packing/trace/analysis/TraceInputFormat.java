// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.CorruptTraceException;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileReader;
import io.packing.trace.TraceReport;
import io.packing.trace.TraceSource;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.jspecify.annotations.Nullable;

/**
 * The trace files as the input of a job, one task for each file: tracers rotate their files, and the counts of a stream
 * need the stream's past. Damaged parts are skipped and counted in {@link Damage}.
 */
final class TraceInputFormat extends FileInputFormat<NullWritable, TraceEvent> {
    /** The unreadable parts, as counters of the job. */
    enum Damage {
        EVENTS,
        DROPPED,
        UNKNOWN_CALLS,
        DAMAGED_BLOCKS,
        LOST_EVENTS,
        SKIPPED_BYTES,
        TORN_FILES,
        UNREADABLE_FILES
    }

    /** The group of counters that are named after files that are no traces. */
    static final String UNREADABLE = "unreadable";

    @Override
    protected boolean isSplitable(JobContext context, Path file) {
        return false;
    }

    @Override
    public RecordReader<NullWritable, TraceEvent> createRecordReader(InputSplit split, TaskAttemptContext context) {
        return new Reader();
    }

    private static final class Reader extends RecordReader<NullWritable, TraceEvent> {
        private @Nullable TraceFileReader trace;
        private @Nullable TraceSource wanted;
        private @Nullable TraceEvent event;
        private @Nullable TaskAttemptContext context;

        @Override
        public void initialize(InputSplit split, TaskAttemptContext taskContext) throws IOException {
            context = taskContext;
            Path path = ((FileSplit) split).getPath();
            FileSystem files = path.getFileSystem(taskContext.getConfiguration());
            try {
                trace = TraceFileReader.of(path.toString(), files.open(path));
                wanted = TaskOptions.selection(taskContext.getConfiguration()).of(trace);
            } catch (CorruptTraceException e) {
                taskContext.getCounter(Damage.UNREADABLE_FILES).increment(1);
                taskContext
                        .getCounter(UNREADABLE, String.valueOf(e.getMessage()))
                        .increment(1);
            }
        }

        @Override
        public boolean nextKeyValue() throws IOException {
            event = wanted == null ? null : wanted.next().orElse(null);
            return event != null;
        }

        @Override
        public NullWritable getCurrentKey() {
            return NullWritable.get();
        }

        @Override
        public TraceEvent getCurrentValue() {
            return Objects.requireNonNull(event, "no event");
        }

        @Override
        public float getProgress() {
            return 0;
        }

        @Override
        public void close() throws IOException {
            if (trace != null && context != null) {
                count(trace.report(), context);
                trace.close();
            }
        }

        private static void count(TraceReport report, TaskAttemptContext context) {
            context.getCounter(Damage.EVENTS).increment(report.events());
            context.getCounter(Damage.DROPPED).increment(report.dropped());
            context.getCounter(Damage.UNKNOWN_CALLS).increment(report.unknownCalls());
            context.getCounter(Damage.DAMAGED_BLOCKS).increment(report.damagedBlocks());
            context.getCounter(Damage.LOST_EVENTS).increment(report.lostEvents());
            context.getCounter(Damage.SKIPPED_BYTES).increment(report.skippedBytes());
            context.getCounter(Damage.TORN_FILES).increment(report.torn() ? 1 : 0);
        }
    }
}
