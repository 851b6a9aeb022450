// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.peers;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Operations on small files by threads that wait for each. A thread has a directory of its own. Confined to one thread.
 *
 * @param directory of the files
 * @param size bytes of a file
 */
record SmallFileWork(Path directory, int size) {
    /**
     * The work of some threads.
     *
     * @param nanos the time of each operation
     */
    record Timed(double seconds, List<Double> nanos) {}

    /** An operation on the file of a number. */
    interface Step {
        void run(int number) throws IOException;
    }

    /** Makes the directories of so many threads. */
    void prepare(int threads) throws IOException {
        Files.createDirectory(directory);
        for (int thread = 0; thread < threads; thread++) {
            Files.createDirectory(directory.resolve("t" + thread));
        }
    }

    private Path file(int number, int threads) {
        return directory.resolve("t" + number % threads).resolve("f" + number);
    }

    /** Returns the bytes of a file, which differ from those of the others. */
    static byte[] bytes(int number, int size) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) number);
        ByteBuffer.wrap(bytes).putInt(number);
        return bytes;
    }

    Timed create(int files, int threads) throws IOException, InterruptedException {
        return time(files, threads, number -> Files.write(file(number, threads), bytes(number, size)));
    }

    Timed createAndSync(int files, int threads) throws IOException, InterruptedException {
        return time(files, threads, number -> {
            try (FileChannel channel =
                    FileChannel.open(file(number, threads), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer all = ByteBuffer.wrap(bytes(number, size));
                while (all.hasRemaining()) {
                    int unused = channel.write(all);
                }
                channel.force(true);
            }
        });
    }

    /** Reads whole files, and compares them with what was written. */
    Timed read(int files, int threads) throws IOException, InterruptedException {
        return time(files, threads, number -> {
            if (!Arrays.equals(Files.readAllBytes(file(number, threads)), bytes(number, size))) {
                throw new IOException(file(number, threads) + " has other bytes than were written");
            }
        });
    }

    Timed stat(int files, int threads) throws IOException, InterruptedException {
        return time(files, threads, number -> {
            BasicFileAttributes has = Files.readAttributes(file(number, threads), BasicFileAttributes.class);
            if (has.size() != size) {
                throw new IOException("%s has %d bytes".formatted(file(number, threads), has.size()));
            }
        });
    }

    /** Gives each file another name in its directory. */
    Timed rename(int files, int threads) throws IOException, InterruptedException {
        return time(files, threads, number -> {
            Path file = file(number, threads);
            Path unused = Files.move(file, file.resolveSibling("g" + number));
        });
    }

    /** Removes the directory with all that is in it, as users do. */
    Timed remove() throws IOException, InterruptedException {
        long begin = System.nanoTime();
        int status = new ProcessBuilder("rm", "-rf", directory.toString())
                .inheritIO()
                .start()
                .waitFor();
        double nanos = System.nanoTime() - begin;
        if (status != 0 || Files.exists(directory)) {
            throw new IOException("rm -rf %s ended with %d".formatted(directory, status));
        }
        return new Timed(nanos / 1e9, List.of(nanos));
    }

    /** Runs a step for the numbers from 0 on, by some threads at a time. */
    static Timed time(int files, int threads, Step step) throws IOException, InterruptedException {
        double[] nanos = new double[files];
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            int first = thread;
            tasks.add(() -> {
                for (int number = first; number < files; number += threads) {
                    long begin = System.nanoTime();
                    step.run(number);
                    nanos[number] = System.nanoTime() - begin;
                }
                return first;
            });
        }
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            long begin = System.nanoTime();
            for (Future<Integer> done : executor.invokeAll(tasks)) {
                Integer unused = done.get();
            }
            double seconds = (System.nanoTime() - begin) / 1e9;
            return new Timed(seconds, Arrays.stream(nanos).boxed().toList());
        } catch (ExecutionException e) {
            throw new IOException("a thread failed: " + e.getCause(), e.getCause());
        } finally {
            executor.shutdownNow();
        }
    }
}
