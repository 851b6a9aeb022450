// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitterFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes the committers of jobs that write to a packing mount:
 * {@code mapreduce.outputcommitter.factory.scheme.packing} names this class. Elsewhere it makes Hadoop's own.
 */
public final class PackingCommitterFactory extends PathOutputCommitterFactory {
    @Override
    public PathOutputCommitter createOutputCommitter(@Nullable Path output, TaskAttemptContext context)
            throws IOException {
        return PackingCommitter.isOnMount(output, context)
                ? new PackingCommitter(output, context)
                : createFileOutputCommitter(output, context);
    }
}
