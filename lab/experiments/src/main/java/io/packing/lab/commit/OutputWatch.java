// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.commit;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Lists a job's output all the time, in a thread of its own, and notes whether some of its files are there and others not. */
final class OutputWatch implements AutoCloseable {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Future<Seen> seen;
    private volatile boolean ended;

    /** The numbers of all listings, and of those that saw only a part of the output. */
    record Seen(long listings, long parts) {}

    OutputWatch(FileSystem files, Path output, int count) {
        seen = thread.submit(() -> {
            long listings = 0;
            long parts = 0;
            while (!ended) {
                int found = count(files, output);
                listings++;
                parts += found > 0 && found < count ? 1 : 0;
            }
            return new Seen(listings, parts);
        });
    }

    /** Returns the number of the job's files in the output. */
    static int count(FileSystem files, Path output) throws IOException {
        int found = 0;
        try {
            for (FileStatus each : files.listStatus(output)) {
                found += each.getPath().getName().startsWith(JobRun.PREFIX) ? 1 : 0;
            }
        } catch (FileNotFoundException e) {
            // The job is not set up yet.
            return 0;
        }
        return found;
    }

    /** Ends it. */
    Seen stop() throws IOException, InterruptedException {
        ended = true;
        try {
            return seen.get();
        } catch (ExecutionException e) {
            throw new IOException("the reader failed: " + e.getCause(), e);
        }
    }

    @Override
    public void close() {
        ended = true;
        thread.shutdownNow();
    }
}
