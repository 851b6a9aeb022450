package io.packing.cli.experiment;

import io.packing.blob.FilePath;
import io.packing.cli.demo.Demo.Narrator;
import io.packing.worker.CreateOptions;
import io.packing.worker.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/** Reads a directory back in name order with a cold cache, and counts what that costs in requests. */
record ColdRead(long files, int size, int threads, Narrator narrator) {
    private static final long SEED = 9;
    private static final CreateOptions CREATE = new CreateOptions("hdfs", "hadoop", 0644, true, true);

    /** Requests per file are what the bar is about; {@code verified} files had the bytes that were written. */
    record Result(long files, long get, double getPerFile, long list, long head, double seconds, long verified) {}

    Result run(EngineRig rig) throws IOException, InterruptedException {
        var contents = new Contents(size, SEED);
        narrator.accept("writing %,d files into one directory".formatted(files));
        try (var client = rig.client()) {
            Clients.run(threads, files, numbers -> {
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
        narrator.accept("reading them back");
        var verified = new AtomicLong();
        try (var client = rig.client()) {
            // Opening the store asks whether the bucket is there; that is not part of reading.
            var before = rig.requests(EngineRig.PACKED);
            var start = System.nanoTime();
            Clients.run(threads, files, numbers -> {
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
            var seconds = (System.nanoTime() - start) / 1e9;
            var cost = rig.requests(EngineRig.PACKED).since(before);
            return new Result(
                    files, cost.get(), (double) cost.get() / files, cost.list(), cost.head(), seconds, verified.get());
        }
    }

    private static FilePath path(long number) {
        return new FilePath("/read/f%09d".formatted(number));
    }
}
