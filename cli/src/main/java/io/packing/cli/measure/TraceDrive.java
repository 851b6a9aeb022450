// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.measure;

import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.sim.pack.FileActions;
import io.packing.trace.tools.replay.Lanes;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A driver of a trace's actions on a mount, with content of no meaning. Actions on one file keep their order; a rename, a delete or a new
 * directory waits for all actions before it.
 */
final class TraceDrive implements FileActions.Target, AutoCloseable {
    private static final int PIECE = 1 << 20;
    private static final int EXAMPLES = 5;

    private interface Action {
        void run() throws IOException;
    }

    private final PackingFileSystem mount;
    private final DurableWatch watch;
    private final Lanes lanes;
    private final byte[] content = new byte[PIECE];
    private final Map<FilePath, PackingInput> inputs = new ConcurrentHashMap<>();
    private final LongAdder reads = new LongAdder();
    /** The nanoseconds of reads, with the opens of their files. */
    private final LongAdder readNanos = new LongAdder();
    /** Guards itself and the number of failures. */
    private final List<String> examples = new ArrayList<>();

    private long failures;

    TraceDrive(PackingFileSystem mount, DurableWatch watch, int threads) {
        this.mount = mount;
        this.watch = watch;
        this.lanes = new Lanes(threads);
        new Random(2).nextBytes(content);
    }

    @Override
    public void write(String host, String path, long size) {
        run(path, () -> {
            FilePath file = FilePath.normalise(path);
            forget(file);
            writeFile(file, size);
            watch.closed(file, size);
        });
    }

    /** Writes a file whole. */
    void writeFile(FilePath file, long size) throws IOException {
        CreateOptions options = new CreateOptions("trace", "trace", 0644, true, true);
        try (PackingOutput out = mount.create(file, options)) {
            for (long left = size; left > 0; left -= Math.min(left, PIECE)) {
                out.write(content, 0, (int) Math.min(left, PIECE));
            }
        }
    }

    @Override
    public void read(String host, String path, long offset, long length) {
        run(path, () -> readRange(FilePath.normalise(path), Math.max(0, offset), length));
    }

    private void readRange(FilePath file, long offset, long length) throws IOException {
        long begin = System.nanoTime();
        PackingInput input = inputs.get(file);
        if (input == null) {
            input = mount.open(file);
            inputs.put(file, input);
        }
        ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(length, PIECE));
        for (long at = offset; at < offset + length; ) {
            buffer.clear().limit((int) Math.min(buffer.capacity(), offset + length - at));
            int got = input.read(at, buffer);
            if (got <= 0) {
                throw new IOException(
                        "%s: it ends at %d, and the trace read up to %d".formatted(file, at, offset + length));
            }
            at += got;
        }
        readNanos.add(System.nanoTime() - begin);
        reads.increment();
    }

    @Override
    public void rename(String from, String to) {
        alone(() -> {
            FilePath source = FilePath.normalise(from);
            FilePath target = FilePath.normalise(to);
            forgetBelow(source);
            forgetBelow(target);
            Outcome outcome = mount.bdt().rename(source, target);
            if (outcome == Outcome.EXISTS) {
                check(mount.bdt().delete(target, false), target);
                outcome = mount.bdt().rename(source, target);
            } else if (outcome == Outcome.NO_PARENT) {
                check(mkdir(target.parent().orElse(FilePath.ROOT)), target);
                outcome = mount.bdt().rename(source, target);
            }
            check(outcome, source);
            watch.renamed(source, target);
        });
    }

    @Override
    public void delete(String path) {
        alone(() -> {
            FilePath file = FilePath.normalise(path);
            forgetBelow(file);
            Outcome outcome = mount.bdt().delete(file, true);
            // Files that the trace deletes without a read or a write are not prepared.
            if (outcome != Outcome.NOT_FOUND) {
                check(outcome, file);
            }
            watch.gone(file);
            watch.goneBelow(file);
        });
    }

    @Override
    public void makeDirectory(String path) {
        alone(() -> {
            FilePath directory = FilePath.normalise(path);
            Outcome outcome = mkdir(directory);
            if (outcome != Outcome.EXISTS) {
                check(outcome, directory);
            }
        });
    }

    private Outcome mkdir(FilePath directory) throws IOException {
        return mount.bdt().mkdir(directory, new DirectoryAttributes("trace", "trace", 0755), true);
    }

    private static void check(Outcome outcome, FilePath path) throws IOException {
        if (outcome != Outcome.DONE) {
            throw new IOException("%s: %s".formatted(path, outcome));
        }
    }

    private void forget(FilePath file) {
        PackingInput input = inputs.remove(file);
        if (input != null) {
            input.close();
        }
    }

    private void forgetBelow(FilePath path) {
        for (FilePath file : List.copyOf(inputs.keySet())) {
            if (file.equals(path) || file.value().startsWith(path.value() + "/")) {
                forget(file);
            }
        }
    }

    private void alone(Action action) {
        settle();
        run("", action);
        settle();
    }

    private void run(String key, Action action) {
        try {
            lanes.run(key, () -> guarded(action));
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private void guarded(Action action) {
        try {
            action.run();
        } catch (IOException | RuntimeException e) {
            synchronized (examples) {
                failures++;
                if (examples.size() < EXAMPLES) {
                    examples.add(
                            e instanceof FileNotFoundException ? "not found: " + e.getMessage() : String.valueOf(e));
                }
            }
        }
    }

    /** Waits until all actions so far are done. */
    void settle() {
        try {
            lanes.settle();
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static UncheckedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new UncheckedIOException(new InterruptedIOException("the measurement was interrupted"));
    }

    /** Counts the actions that failed. */
    long failures() {
        synchronized (examples) {
            return failures;
        }
    }

    /** Returns a few of the failures. */
    List<String> examples() {
        synchronized (examples) {
            return List.copyOf(examples);
        }
    }

    /** Returns the mean milliseconds of a read; not a number without reads. */
    double readMillis() {
        return reads.sum() == 0 ? Double.NaN : readNanos.sum() / 1e6 / reads.sum();
    }

    @Override
    public void close() {
        lanes.close();
        inputs.values().forEach(PackingInput::close);
        inputs.clear();
    }
}
