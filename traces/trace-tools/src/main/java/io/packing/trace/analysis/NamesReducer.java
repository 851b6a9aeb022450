// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Reducer;
import org.jspecify.annotations.Nullable;

/** A reducer that runs the changes of names through a {@link NamespaceIndex}, and writes its identities to a file. */
final class NamesReducer extends Reducer<FileKey, NamespaceChange, FileKey, FileEvent> {
    private final FileKey out = new FileKey();
    private @Nullable NamespaceIndex index;
    private long sequence;

    @Override
    protected void setup(Context context) {
        index = new NamespaceIndex(TaskOptions.rules(context.getConfiguration()), (file, nanos, access) -> {
            out.set(file, nanos, sequence++);
            TaskOptions.write(context, out, access);
        });
    }

    @Override
    protected void reduce(FileKey key, Iterable<NamespaceChange> changes, Context context) throws IOException {
        for (NamespaceChange change : changes) {
            // The key changes with each value: only its file is common to the group.
            Objects.requireNonNull(index).add(key.nanos(), change);
        }
    }

    /** Writes the file even if no name changed, since the next job opens it. */
    @Override
    protected void cleanup(Context context) throws IOException {
        Path path = new Path(context.getConfiguration().get(IndexJob.IDENTITIES, ""));
        try (FSDataOutputStream file =
                path.getFileSystem(context.getConfiguration()).create(path, true)) {
            Objects.requireNonNull(index).identities().write(file);
        }
    }
}
