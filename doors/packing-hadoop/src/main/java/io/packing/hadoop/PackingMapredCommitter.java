// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.FileOutputCommitter;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobContext;
import org.apache.hadoop.mapred.TaskAttemptContext;
import org.apache.hadoop.mapreduce.JobStatus;
import org.jspecify.annotations.Nullable;

/**
 * {@link PackingCommitter} for jobs of the old API, {@code org.apache.hadoop.mapred}, and Spark's {@code saveAsTextFile}, which ask
 * no factory: {@code mapred.output.committer.class} names this class. Elsewhere than on a packing mount it commits as Hadoop's own.
 */
public final class PackingMapredCommitter extends FileOutputCommitter {
    private static @Nullable Path output(JobContext context) {
        return FileOutputFormat.getOutputPath(context.getJobConf());
    }

    // A committer of this API is made without its job, which is known at each call only.
    private static PackingCommitter of(JobContext context) throws IOException {
        return new PackingCommitter(output(context), context);
    }

    private static PackingCommitter of(TaskAttemptContext context) throws IOException {
        return new PackingCommitter(FileOutputFormat.getOutputPath(context.getJobConf()), context);
    }

    @Override
    public void setupJob(JobContext context) throws IOException {
        of(context).setupJob(context);
    }

    @Override
    public void commitJob(JobContext context) throws IOException {
        of(context).commitJob(context);
    }

    @Override
    @Deprecated
    public void cleanupJob(JobContext context) throws IOException {
        of(context).cleanupJob(context);
    }

    @Override
    public void abortJob(JobContext context, int state) throws IOException {
        for (JobStatus.State each : JobStatus.State.values()) {
            if (each.getValue() == state) {
                of(context).abortJob(context, each);
                return;
            }
        }
        throw new IllegalArgumentException("no state of a job: " + state);
    }

    @Override
    public void setupTask(TaskAttemptContext context) throws IOException {
        of(context).setupTask(context);
    }

    @Override
    public void commitTask(TaskAttemptContext context) throws IOException {
        of(context).commitTask(context, getTaskAttemptPath(context));
    }

    @Override
    public void abortTask(TaskAttemptContext context) throws IOException {
        of(context).abortTask(context, getTaskAttemptPath(context));
    }

    @Override
    public boolean needsTaskCommit(TaskAttemptContext context) throws IOException {
        return of(context).needsTaskCommit(context, getTaskAttemptPath(context));
    }

    @Override
    public boolean isCommitJobRepeatable(JobContext context) throws IOException {
        return of(context).isCommitJobRepeatable(context);
    }

    @Override
    public boolean isRecoverySupported(JobContext context) throws IOException {
        return of(context).isRecoverySupported(context);
    }

    @Override
    public void recoverTask(TaskAttemptContext context) throws IOException {
        of(context).recoverTask(context);
    }
}
