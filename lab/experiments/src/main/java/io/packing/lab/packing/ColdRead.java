// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.packing.blob.FilePath;
import io.packing.cli.launch.Narrator;
import io.packing.lab.compare.AnsweredRequests;
import io.packing.lab.load.Clients;
import io.packing.lab.load.NumberedFileContent;
import io.packing.rig.EngineRig;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import me.tongfei.progressbar.ProgressBar;

/** Reads a directory back in name order with a cold cache, and counts what that costs in requests. */
public record ColdRead(long files, int size, int threads, Narrator narrator) {
    private static final long SEED = 9;
    private static final CreateOptions CREATE = new CreateOptions("hdfs", "hadoop", 0644, true, true);

    /** Requests per file are what the bar is about; {@code verified} files had the bytes that were written. */
    public record Result(long files, long get, double getPerFile, long list, long head, double seconds, long verified) {
        /** Returns whether every file was read back as it was written. */
        @JsonIgnore
        public boolean isComplete() {
            return verified == files;
        }

        public void print(PrintWriter out) {
            out.printf(
                    Locale.ROOT,
                    "%,d files in %.1f s: %d GET (%.4f per file), %d LIST, %d HEAD, %,d verified%n",
                    files,
                    seconds,
                    get,
                    getPerFile,
                    list,
                    head,
                    verified);
        }
    }

    public ColdRead {
        if (files < 1 || size < 1 || threads < 1) {
            throw new IllegalArgumentException("--files, --size and --threads must be positive");
        }
    }

    public Result run(EngineRig rig) throws IOException, InterruptedException {
        NumberedFileContent contents = new NumberedFileContent(size, SEED);
        try (EngineRig.Client client = rig.client()) {
            each("writing into one directory", numbers -> {
                try {
                    for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                        if (client.mount()
                                        .put(path(number), contents.of(number), CREATE)
                                        .get()
                                        .id()
                                <= 0) {
                            throw new IllegalStateException("a file without an id");
                        }
                    }
                } catch (ExecutionException e) {
                    throw Clients.failure(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            client.mount().flush();
        }
        AtomicLong verified = new AtomicLong();
        try (EngineRig.Client client = rig.client()) {
            // Opening the store asks whether the bucket is there; that is not part of reading.
            AnsweredRequests before = requests(rig);
            long start = System.nanoTime();
            each("reading back", numbers -> {
                for (long number = numbers.next(); number >= 0; number = numbers.next()) {
                    ByteBuffer bytes = ByteBuffer.allocate(size);
                    try (PackingInput in = client.mount().open(path(number))) {
                        while (bytes.hasRemaining() && in.read(bytes.position(), bytes) >= 0) {
                            // Reads on.
                        }
                    }
                    verified.addAndGet(contents.matches(number, bytes.flip()) ? 1 : 0);
                }
            });
            double seconds = (System.nanoTime() - start) / 1e9;
            AnsweredRequests cost = requests(rig).since(before);
            return new Result(
                    files, cost.get(), (double) cost.get() / files, cost.list(), cost.head(), seconds, verified.get());
        }
    }

    private static AnsweredRequests requests(EngineRig rig) throws IOException, InterruptedException {
        return AnsweredRequests.of(rig.s3().metrics().prefix(EngineRig.PACKED));
    }

    private void each(String what, Clients.Work work) throws IOException, InterruptedException {
        narrator.accept(String.format(Locale.ROOT, "%s: %,d files of %,d bytes", what, files, size));
        try (ProgressBar bar = narrator.bar(what, files)) {
            Clients.run(threads, files, bar::stepBy, work);
        }
    }

    private static FilePath path(long number) {
        return new FilePath("/read/f%09d".formatted(number));
    }
}
