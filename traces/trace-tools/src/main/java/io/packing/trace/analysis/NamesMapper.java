// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** A mapper that selects the calls that change names. */
final class NamesMapper extends Mapper<NullWritable, TraceEvent, FileKey, NamespaceChange> {
    private final FileKey key = new FileKey();
    private long sequence;

    @Override
    protected void setup(Context context) {
        sequence = TaskOptions.firstSequence(context);
    }

    @Override
    protected void map(NullWritable none, TraceEvent event, Context context) throws IOException, InterruptedException {
        if (SystemScan.isSystem(event)) {
            return;
        }
        Optional<NamespaceChange> change = NamespaceChange.of(event);
        if (change.isPresent()) {
            key.set(0, event.wallNanos(), sequence++);
            context.write(key, change.get());
        }
    }
}
