// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.output.MultipleOutputs;

/** A scan of one trace file: accesses go to the reducers of their files, sums to a file of their own. */
final class AccessMapper extends Mapper<NullWritable, TraceEvent, FileKey, FileEvent> {
    @Override
    public void run(Context context) throws IOException, InterruptedException {
        TraceScan scan = new TraceScan(
                TaskOptions.rules(context.getConfiguration()), identities(context), new KeyedWriter(context));
        while (context.nextKeyValue()) {
            scan.add(context.getCurrentValue());
        }
        scan.finish();
        Totals totals = new Totals();
        scan.addTo(totals);
        MultipleOutputs<FileKey, FileEvent> outputs = new MultipleOutputs<>(context);
        try {
            for (Map.Entry<String, Long> sum : totals.sums().entrySet()) {
                outputs.write(ShardJob.TOTALS, new Text(sum.getKey()), new LongWritable(sum.getValue()));
            }
        } finally {
            outputs.close();
        }
    }

    private static Identities identities(Context context) throws IOException {
        Path path = new Path(context.getConfiguration().get(IndexJob.IDENTITIES, ""));
        try (FSDataInputStream in =
                path.getFileSystem(context.getConfiguration()).open(path)) {
            return Identities.read(in);
        }
    }

    /** A writer that gives each access of a task its key. */
    private static final class KeyedWriter implements TraceScan.Sink {
        private final Mapper<NullWritable, TraceEvent, FileKey, FileEvent>.Context context;
        private final FileKey key = new FileKey();
        private long sequence;

        KeyedWriter(Mapper<NullWritable, TraceEvent, FileKey, FileEvent>.Context context) {
            this.context = context;
            this.sequence = TaskOptions.firstSequence(context);
        }

        @Override
        public void access(long file, long nanos, FileEvent access) throws IOException {
            key.set(file, nanos, sequence++);
            TaskOptions.write(context, key, access);
        }
    }
}
