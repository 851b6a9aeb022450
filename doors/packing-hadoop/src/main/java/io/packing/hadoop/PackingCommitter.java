// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.jspecify.annotations.Nullable;

/**
 * Commits the output of a job to a packing mount. A task is committed by one rename of its directory: of two attempts
 * of a task exactly one is in the output, whole. A job is committed by one request, a vector. It merges the directories
 * of all tasks into the output, deletes the job's own directory and writes {@code _SUCCESS}: readers see all of the job
 * or nothing.
 *
 * <p>It is Hadoop's committer with algorithm 1, whatever the configuration says (algorithm 2, Hadoop's default, shows a
 * task's files while it commits), and with another job commit: Hadoop's asks three times per file, one file after another.
 * Elsewhere than on a packing mount it is Hadoop's committer as it is configured.
 *
 * <p>{@link PackingCommitterFactory} makes it for jobs that ask a factory, {@link PackingMapredCommitter} for those of the old API.
 * Spark makes it by its name: {@code spark.sql.parquet.output.committer.class}, whose formats ask no factory.
 */
public final class PackingCommitter extends FileOutputCommitter {
    /** @param output null: the job writes no files */
    public PackingCommitter(@Nullable Path output, TaskAttemptContext context) throws IOException {
        super(output, byRename(output, context));
    }

    PackingCommitter(@Nullable Path output, JobContext context) throws IOException {
        super(output, byRename(output, context));
    }

    private static <T extends JobContext> T byRename(@Nullable Path output, T context) throws IOException {
        if (isOnMount(output, context)) {
            context.getConfiguration().setInt(FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
        }
        return context;
    }

    static boolean isOnMount(@Nullable Path output, JobContext context) throws IOException {
        return output != null && output.getFileSystem(context.getConfiguration()) instanceof PackingHadoopFileSystem;
    }

    @Override
    protected void commitJobInternal(JobContext context) throws IOException {
        // A qualified path, which names its file system.
        Path output = getOutputPath();
        if (output == null
                || !(output.getFileSystem(context.getConfiguration()) instanceof PackingHadoopFileSystem files)) {
            super.commitJobInternal(context);
            return;
        }
        Configuration configuration = context.getConfiguration();
        FilePath target = files.path(output);
        List<Operation> operations = new ArrayList<>();
        operations.add(new Operation.MergeEachDirectory(
                files.path(getJobAttemptPath(context)), Optional.of(PENDING_DIR_NAME), target));
        if (!configuration.getBoolean(
                FILEOUTPUTCOMMITTER_CLEANUP_SKIPPED, FILEOUTPUTCOMMITTER_CLEANUP_SKIPPED_DEFAULT)) {
            operations.add(new Operation.Delete(target.child(PENDING_DIR_NAME), true));
        }
        if (configuration.getBoolean(SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, true)) {
            AttributeChange owned =
                    new AttributeChange(Optional.of(files.user()), Optional.empty(), OptionalInt.empty());
            operations.add(new Operation.CreateFile(target.child(SUCCEEDED_FILE_NAME), owned, true));
        }
        if (files.apply(output, operations) instanceof VectorResult.Refused refused) {
            if (refused.reason() == Outcome.NOT_FOUND) {
                throw new FileNotFoundException(
                        "%s or %s not found: nothing was committed".formatted(output, getJobAttemptPath(context)));
            }
            throw new PathIOException(output.toString(), "nothing was committed: " + refused.reason());
        }
    }
}
