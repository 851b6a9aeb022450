// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.battle;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/** An honest user that writes, reads, renames, lists and deletes files, and checks every byte. For one thread. */
public final class HonestLoad {
    private static final CreateOptions NEW = new CreateOptions("honest", "honest", 0644, true, false);
    private static final int MOST_FILES = 400;

    private final PackingFileSystem mount;
    private final String directory;
    private final SplittableRandom random;
    private final Map<String, Long> files = new ConcurrentSkipListMap<>();
    /** The names in doubt, after an operation without a success. */
    private final Set<String> unsure = ConcurrentHashMap.newKeySet();

    private final AtomicLong done = new AtomicLong();
    private long next;

    public HonestLoad(PackingFileSystem mount, String directory, long seed) {
        this.mount = mount;
        this.directory = directory;
        this.random = new SplittableRandom(seed);
    }

    /** Counts the operations that succeeded. */
    public long done() {
        return done.get();
    }

    /**
     * Performs one operation.
     *
     * @throws IOException if it was refused, or its result is wrong
     */
    public void step() throws IOException {
        int what = random.nextInt(10);
        if (files.isEmpty() || (what < 4 && files.size() < MOST_FILES)) {
            write("%s/d%d/f%d".formatted(directory, next % 7, next), random.nextLong());
            next++;
        } else if (what < 7) {
            check(any());
        } else if (what < 8) {
            list();
        } else if (what < 9) {
            String from = any();
            String to = from + "r";
            unsure.addAll(List.of(from, to));
            Long seed = files.remove(from);
            expect(mount.bdt().rename(new FilePath(from), new FilePath(to)), from);
            files.put(to, Objects.requireNonNull(seed));
            unsure.removeAll(List.of(from, to));
        } else {
            String path = any();
            unsure.add(path);
            files.remove(path);
            expect(mount.bdt().delete(new FilePath(path), false), path);
            unsure.remove(path);
        }
        done.incrementAndGet();
    }

    private String any() {
        List<String> all = new ArrayList<>(files.keySet());
        return all.get(random.nextInt(all.size()));
    }

    private static void expect(Outcome outcome, String path) throws IOException {
        if (outcome != Outcome.DONE) {
            throw new IOException("%s: %s, want DONE".formatted(path, outcome));
        }
    }

    private void write(String path, long seed) throws IOException {
        unsure.add(path);
        try (PackingOutput out = mount.create(new FilePath(path), NEW)) {
            out.write(content(seed));
        }
        files.put(path, seed);
        unsure.remove(path);
    }

    private void check(String path) throws IOException {
        byte[] want = content(files.getOrDefault(path, 0L));
        byte[] found;
        try (PackingInput in = mount.open(new FilePath(path))) {
            ByteBuffer bytes = ByteBuffer.allocate((int) in.attributes().length());
            while (bytes.hasRemaining() && in.read(bytes.position(), bytes) > 0) {
                // The loop reads on.
            }
            found = Arrays.copyOf(bytes.array(), bytes.position());
        }
        if (!Arrays.equals(found, want)) {
            throw new IOException("%s has other bytes: %d, want %d".formatted(path, found.length, want.length));
        }
    }

    private void list() throws IOException {
        long listed = 0;
        for (int i = 0; i < 7; i++) {
            List<FileStatus> page = mount.bdt()
                    .list(new FilePath(directory + "/d" + i), "", 10_000)
                    .orElse(List.of());
            listed += page.stream()
                    .filter(each -> !unsure.contains(each.path().value()))
                    .count();
        }
        if (listed != files.size()) {
            throw new IOException("%s lists %d files, want %d".formatted(directory, listed, files.size()));
        }
    }

    /** Reads every file; returns the differences to the written bytes. */
    public List<String> wrong() {
        List<String> wrong = new ArrayList<>();
        for (String path : files.keySet()) {
            try {
                check(path);
            } catch (IOException | RuntimeException e) {
                wrong.add(path + ": " + e);
            }
        }
        return wrong;
    }

    /** Counts the files. */
    public int files() {
        return files.size();
    }

    private static byte[] content(long seed) {
        SplittableRandom bytes = new SplittableRandom(seed);
        byte[] content = new byte[bytes.nextInt(20_000)];
        bytes.nextBytes(content);
        return content;
    }
}
