// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.soak;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One client of a soak. It creates, overwrites, reads, renames, lists and deletes files of a fixed number of names, and compares what it
 * reads. So a mount has as many files after an hour as after a minute.
 */
final class SoakLoad implements Runnable {
    private static final int NAMES = 200;
    private static final int MOST_BYTES = 32_768;
    private static final int MOST_ENTRIES = 10_000;
    private static final CreateOptions OVERWRITE = new CreateOptions("soak", "", 0644, true, true);

    private final int number;
    private final PackingFileSystem mount;
    private final Random random;
    private final boolean keepsAll;
    private final long pauseNanos;
    private final AtomicLong operations = new AtomicLong();
    private final Map<FilePath, Integer> written = new HashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch failed;
    private volatile Optional<Exception> failure = Optional.empty();

    /**
     * @param keepsAll true for a client that writes to a new name each time, and deletes none: a planted leak
     * @param pauseNanos between two operations
     * @param failed counted down when this client ends before its time
     */
    SoakLoad(
            int number,
            PackingFileSystem mount,
            Random random,
            boolean keepsAll,
            long pauseNanos,
            CountDownLatch failed) {
        this.number = number;
        this.mount = mount;
        this.random = random;
        this.keepsAll = keepsAll;
        this.pauseNanos = pauseNanos;
        this.failed = failed;
    }

    long operations() {
        return operations.get();
    }

    /** Returns what ended this client before its time. */
    Optional<Exception> failure() {
        return failure;
    }

    void end() {
        ended.countDown();
    }

    @Override
    public void run() {
        try {
            do {
                step();
                operations.incrementAndGet();
            } while (!ended.await(pauseNanos, TimeUnit.NANOSECONDS));
        } catch (IOException | RuntimeException e) {
            failure = Optional.of(e);
            failed.countDown();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private FilePath name(long which) {
        return new FilePath("/soak/c%d/d%d/f%d".formatted(number, which % 8, which));
    }

    private void step() throws IOException {
        FilePath path = name(keepsAll ? operations.get() : random.nextInt(NAMES));
        if (keepsAll) {
            write(path);
            return;
        }
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> write(path);
            case 4 -> delete(path);
            case 5 -> rename(path, name(random.nextInt(NAMES)));
            case 6 -> list(path);
            default -> read(path);
        }
    }

    private static byte[] content(int seed) {
        Random of = new Random(seed);
        byte[] bytes = new byte[1 + of.nextInt(MOST_BYTES)];
        of.nextBytes(bytes);
        return bytes;
    }

    private void write(FilePath path) throws IOException {
        int seed = random.nextInt();
        try (PackingOutput out = mount.create(path, OVERWRITE)) {
            out.write(content(seed));
        }
        if (!keepsAll) {
            Integer unused = written.put(path, seed);
        }
    }

    private Bdt bdt() {
        return mount.bdt();
    }

    private void delete(FilePath path) throws IOException {
        Outcome outcome = bdt().delete(path, false);
        expect(path, (outcome == Outcome.DONE) == (written.remove(path) != null), "its delete is " + outcome);
    }

    private void rename(FilePath from, FilePath to) throws IOException {
        Integer seed = written.get(from);
        if (seed == null || written.containsKey(to)) {
            return;
        }
        FilePath parent = to.parent().orElseThrow();
        if (bdt().stat(parent).isEmpty()) {
            return;
        }
        Outcome outcome = bdt().rename(from, to);
        expect(from, outcome == Outcome.DONE, "its rename to %s is %s".formatted(to, outcome));
        written.remove(from);
        Integer unused = written.put(to, seed);
    }

    private void list(FilePath path) throws IOException {
        FilePath directory = path.parent().orElseThrow();
        List<FileStatus> entries = bdt().list(directory, "", MOST_ENTRIES).orElse(List.of());
        long known = written.keySet().stream()
                .filter(each -> each.parent().equals(Optional.of(directory)))
                .count();
        expect(directory, entries.size() == known, "%d entries, and %d are known".formatted(entries.size(), known));
    }

    private void read(FilePath path) throws IOException {
        Integer seed = written.get(path);
        try (PackingInput in = mount.open(path)) {
            ByteBuffer all = ByteBuffer.allocate((int) in.attributes().length());
            while (all.hasRemaining() && in.read(all.position(), all) > 0) {
                // Reads on.
            }
            expect(path, seed != null && Arrays.equals(all.array(), content(seed)), "it has other bytes");
        } catch (FileNotFoundException e) {
            expect(path, seed == null, "it is not there");
        }
    }

    private static void expect(FilePath path, boolean holds, String what) throws IOException {
        if (!holds) {
            throw new IOException("%s: %s".formatted(path, what));
        }
    }
}
