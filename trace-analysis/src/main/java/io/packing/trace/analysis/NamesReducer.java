package io.packing.trace.analysis;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Reducer;

/** Runs the changes of names through a {@link NamespaceIndex}, and leaves its identities in a file. */
final class NamesReducer extends Reducer<FileKey, NamespaceChange, FileKey, Access> {
    private final FileKey out = new FileKey();
    private long sequence;

    @Override
    protected void reduce(FileKey key, Iterable<NamespaceChange> changes, Context context)
            throws IOException, InterruptedException {
        var index = new NamespaceIndex(TaskSettings.rules(context.getConfiguration()), (file, nanos, access) -> {
            out.set(file, nanos, sequence++);
            TaskSettings.write(context, out, access);
        });
        for (var change : changes) {
            // The key changes with each value: only its file is the group's.
            index.add(key.nanos(), change);
        }
        var path = new Path(context.getConfiguration().get(IndexJob.IDENTITIES, ""));
        try (var file = path.getFileSystem(context.getConfiguration()).create(path, true)) {
            index.identities().write(file);
        }
    }
}
