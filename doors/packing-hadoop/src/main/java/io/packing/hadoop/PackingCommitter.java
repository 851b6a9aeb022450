package io.packing.hadoop;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;

/**
 * Commits what a job wrote to a packing mount. A task is committed by one rename of its directory: of two attempts of a task
 * exactly one is in the output, whole. A job is committed by one vector, which merges the directories of all its tasks into
 * the output: readers see all of the job or nothing.
 *
 * <p>It is Hadoop's committer with algorithm 1, whatever the configuration says (algorithm 2, Hadoop's default, shows a
 * task's files while it commits), and with another job commit: Hadoop's asks three times per file, one file after another.
 */
final class PackingCommitter extends FileOutputCommitter {
    private final Path output;

    PackingCommitter(Path output, TaskAttemptContext context) throws IOException {
        super(output, byRename(context));
        // Qualified: that is the path whose file system it has to be.
        this.output = getOutputPath();
    }

    private static TaskAttemptContext byRename(TaskAttemptContext context) {
        context.getConfiguration().setInt(FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
        return context;
    }

    @Override
    protected void commitJobInternal(JobContext context) throws IOException {
        PackingHadoopFileSystem files = (PackingHadoopFileSystem) output.getFileSystem(context.getConfiguration());
        List<Path> tasks = new ArrayList<>();
        for (FileStatus task : files.listStatus(
                getJobAttemptPath(context), path -> !path.getName().equals(PENDING_DIR_NAME))) {
            tasks.add(task.getPath());
        }
        files.merge(tasks, output);
        // It finds no task any more, and cleans up.
        super.commitJobInternal(context);
    }
}
