// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * A reducer that gives each file's accesses, in order, to a {@link FileHistory}, and writes the sums of all files at
 * the end.
 */
final class FileReducer extends Reducer<FileKey, FileEvent, Text, LongWritable> {
    private final LocalityMap locality = new LocalityMap();
    private final Totals totals = new Totals();

    @Override
    protected void reduce(FileKey key, Iterable<FileEvent> accesses, Context context) {
        FileHistory history = new FileHistory(locality);
        for (FileEvent access : accesses) {
            history.add(key.nanos(), access);
        }
        history.addTo(totals);
    }

    @Override
    protected void cleanup(Context context) throws IOException, InterruptedException {
        locality.addTo(totals);
        for (Map.Entry<String, Long> sum : totals.sums().entrySet()) {
            context.write(new Text(sum.getKey()), new LongWritable(sum.getValue()));
        }
    }
}
