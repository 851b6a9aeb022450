// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.fuse;

import io.packing.chaos.run.Counts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A program with a directory of its own on the mount, and its acknowledged operations. It leaves a name alone after a
 * failed call on the name. Bytes of a failed write may be there or not. Confined to one thread at a time; stays from
 * round to round.
 */
final class ProgramLane {
    private static final int MOST_FILES = 12;
    private static final int MOST_SLOTS = 24;

    private final String name;
    private final long identity;
    private final Counts counts;
    private final Map<String, SlotFile> files = new TreeMap<>();
    private final Set<String> deleted = new TreeSet<>();
    private int made;

    ProgramLane(String name, long identity, Counts counts) {
        this.name = name;
        this.identity = identity;
        this.counts = counts;
    }

    String name() {
        return name;
    }

    /** Returns the files that must exist, by name. */
    Map<String, SlotFile> files() {
        return files;
    }

    /** Returns the names that must not exist. */
    Set<String> deleted() {
        return deleted;
    }

    /** Performs one operation below the mounted directory. */
    void step(Path mounted, Random random) {
        Path directory = mounted.resolve(name);
        int draw = random.nextInt(100);
        try {
            if (files.isEmpty() || (draw < 25 && files.size() < MOST_FILES)) {
                create(directory, random);
            } else if (draw < 35) {
                rename(directory, random);
            } else if (draw < 45 && files.size() > MOST_FILES / 2) {
                delete(directory, random);
            } else if (draw < 53 && files.size() < MOST_FILES) {
                link(directory, random);
            } else {
                write(directory, random);
            }
        } catch (IOException e) {
            counts.add("calls_failed");
        }
    }

    private String any(Random random) {
        return List.copyOf(files.keySet()).get(random.nextInt(files.size()));
    }

    private String newName() {
        return "f" + made++;
    }

    private void create(Path directory, Random random) throws IOException {
        Files.createDirectories(directory);
        String fresh = newName();
        SlotFile file = new SlotFile(identity << 20 | made);
        try {
            write(directory.resolve(fresh), file, random.nextInt(1, 5), true, random);
        } finally {
            if (file.isSafe()) {
                files.put(fresh, file);
            }
        }
    }

    private void write(Path directory, Random random) throws IOException {
        String chosen = any(random);
        SlotFile file = files.get(chosen);
        if (file != null) {
            write(directory.resolve(chosen), file, random.nextInt(1, 4), false, random);
        }
    }

    /** Writes some slots, and syncs each. */
    private void write(Path path, SlotFile file, int count, boolean isNew, Random random) throws IOException {
        StandardOpenOption how = isNew ? StandardOpenOption.CREATE_NEW : StandardOpenOption.WRITE;
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE, how)) {
            List<Integer> written = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                boolean appends = isNew || (file.slots() < MOST_SLOTS && random.nextBoolean());
                int slot = appends ? file.slots() : random.nextInt(file.slots());
                if (written.contains(slot)) {
                    continue;
                }
                ByteBuffer bytes = file.begin(slot);
                for (long at = (long) slot * SlotFile.SLOT; bytes.hasRemaining(); ) {
                    at += channel.write(bytes, at);
                }
                channel.force(random.nextBoolean());
                file.acknowledged(slot);
                written.add(slot);
                counts.add("fsyncs_acknowledged");
            }
        }
    }

    private void rename(Path directory, Random random) throws IOException {
        String from = any(random);
        String to = newName();
        SlotFile file = files.remove(from);
        Files.move(directory.resolve(from), directory.resolve(to));
        if (file != null) {
            files.put(to, file);
        }
        deleted.add(from);
        counts.add("renames_acknowledged");
    }

    /** Links a second name to a file: writes through either name reach both. */
    private void link(Path directory, Random random) throws IOException {
        String from = any(random);
        String to = newName();
        Path unused = Files.createLink(directory.resolve(to), directory.resolve(from));
        SlotFile file = files.get(from);
        if (file != null) {
            files.put(to, file);
        }
        counts.add("links_acknowledged");
    }

    private void delete(Path directory, Random random) throws IOException {
        String gone = any(random);
        files.remove(gone);
        Files.delete(directory.resolve(gone));
        deleted.add(gone);
        counts.add("deletes_acknowledged");
    }
}
