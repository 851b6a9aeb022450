package io.packing.hadoop;

import io.packing.bdt.Outcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.util.Progressable;

/**
 * Commits what a job wrote to a packing mount by renames, each one write at the BDT master (§4.2). A task is committed by
 * one rename of its directory: of two attempts of a task exactly one is in the output, whole. A job is committed by one
 * rename for each entry of its tasks' directories, many tasks at a time.
 *
 * <p>It is Hadoop's committer with algorithm 1, whatever the configuration says (algorithm 2, Hadoop's default, shows a
 * task's files while it commits), and with another job commit: Hadoop's asks three times per file, one file after another.
 */
final class PackingCommitter extends FileOutputCommitter {
    /** Enough to share the master's log writes; a job commit is one process's work. */
    private static final int TASKS_AT_A_TIME = 16;

    private static final String MERGED = "merged";

    private final Object replacing = new Object();
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
        var files = (PackingHadoopFileSystem) output.getFileSystem(context.getConfiguration());
        Path attempt = getJobAttemptPath(context);
        List<Callable<Void>> moves = new ArrayList<>();
        for (FileStatus task : files.listStatus(attempt, path -> !path.getName().equals(PENDING_DIR_NAME))) {
            moves.add(() -> {
                if (context instanceof Progressable progressable) {
                    progressable.progress();
                }
                moveEntries(files, task.getPath(), output);
                return null;
            });
        }
        runAll(moves);
        // What is left of the tasks are empty directories, at which the rest of the commit need not look one by one.
        files.move(attempt, new Path(attempt.getParent(), attempt.getName() + "-" + MERGED));
        files.mkdirs(attempt);
        super.commitJobInternal(context);
    }

    private static void runAll(List<Callable<Void>> moves) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(TASKS_AT_A_TIME);
        try {
            for (Future<Void> move : threads.invokeAll(moves)) {
                move.get();
            }
        } catch (ExecutionException e) {
            throw new IOException("the job is not committed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while the job is committed");
        } finally {
            threads.shutdownNow();
        }
    }

    private void moveEntries(PackingHadoopFileSystem files, Path from, Path to) throws IOException {
        for (FileStatus entry : files.listStatus(from)) {
            Path target = new Path(to, entry.getPath().getName());
            if (!moved(files, entry, target)) {
                replace(files, entry, target);
            }
        }
    }

    /** Whether the entry could be moved; not when something is in its way. */
    private static boolean moved(PackingHadoopFileSystem files, FileStatus from, Path to) throws IOException {
        Outcome outcome = files.move(from.getPath(), to);
        if (outcome != Outcome.DONE && outcome != Outcome.EXISTS) {
            throw new IOException("cannot move %s to %s: %s".formatted(from.getPath(), to, outcome));
        }
        return outcome == Outcome.DONE;
    }

    /** What is moved wins over a file that is there; directories become one. */
    private void replace(PackingHadoopFileSystem files, FileStatus from, Path to) throws IOException {
        boolean both = false;
        // One at a time: of two tasks that see an old file, the second must not delete what the first has put there.
        synchronized (replacing) {
            for (boolean moved = false; !both && !moved; ) {
                both = from.isDirectory() && files.getFileStatus(to).isDirectory();
                if (!both) {
                    files.delete(to, true);
                    moved = moved(files, from, to);
                }
            }
        }
        if (both) {
            moveEntries(files, from.getPath(), to);
        }
    }
}
