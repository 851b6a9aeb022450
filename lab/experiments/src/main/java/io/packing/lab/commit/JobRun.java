// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.commit;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/** A job without a cluster: its tasks write their files and are committed, then the job is. */
final class JobRun {
    /** The prefix of the names of its files. */
    static final String PREFIX = "part-";

    private final FileSystem files;
    private final Configuration configuration;
    private final Path output;
    private final JobID id;

    JobRun(FileSystem files, Configuration configuration, Path output, int number) {
        this.files = files;
        this.configuration = configuration;
        this.output = output;
        this.id = new JobID("commit", number);
    }

    private TaskAttemptContext attempt(int task) {
        // A committer may change the configuration of its context.
        return new TaskAttemptContextImpl(
                new Configuration(configuration), new TaskAttemptID(new TaskID(id, TaskType.MAP, task), 0));
    }

    private JobContext job() {
        return new JobContextImpl(configuration, id);
    }

    PathOutputCommitter setUp() throws IOException {
        PathOutputCommitter committer = Committer.of(output, attempt(0));
        committer.setupJob(job());
        return committer;
    }

    /** Runs all tasks, so many at once. The files are shared out evenly. */
    void tasks(int count, int tasks, int threads, byte[] content) throws IOException, InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int task = 0; task < tasks; task++) {
                int number = task;
                all.add(executor.submit(() -> {
                    task(number, count, tasks, content);
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException("a task failed: " + e.getCause(), e);
        } finally {
            executor.shutdownNow();
        }
    }

    private void task(int task, int count, int tasks, byte[] content) throws IOException {
        TaskAttemptContext context = attempt(task);
        PathOutputCommitter committer = Committer.of(output, context);
        committer.setupTask(context);
        for (int file = task; file < count; file += tasks) {
            Path path = new Path(committer.getWorkPath(), "%s%06d".formatted(PREFIX, file));
            try (FSDataOutputStream out = files.create(path, false)) {
                out.write(content);
            }
        }
        committer.commitTask(context);
    }

    void commit(PathOutputCommitter committer) throws IOException {
        committer.commitJob(job());
    }
}
