// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Flips bits in files below a directory, and flips them back. Confined to one thread. */
final class StoredDamage {
    private record Flip(Path file, long position) {}

    private final SplittableRandom random;
    private final List<Flip> flips = new ArrayList<>();

    StoredDamage(SplittableRandom random) {
        this.random = random;
    }

    /**
     * Damages about a share of the files.
     *
     * @param in part of the path of what may be damaged
     */
    void damage(Path below, String in, double share) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(below)) {
            files = all.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains(in))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException | NoSuchFileException e) {
            // A file went while it was looked at.
            return;
        }
        for (Path file : files) {
            if (random.nextDouble() < share) {
                long size = Files.exists(file) ? Files.size(file) : 0;
                if (size > 0) {
                    Flip flip = new Flip(file, random.nextLong(size));
                    if (flip(flip)) {
                        flips.add(flip);
                    }
                }
            }
        }
    }

    /** Returns the number of damaged files. */
    int count() {
        return flips.size();
    }

    /** Makes all files what they were; some may be gone. */
    void heal() throws IOException {
        for (Flip flip : flips) {
            boolean unused = flip(flip);
        }
        flips.clear();
    }

    private static boolean flip(Flip flip) throws IOException {
        if (!Files.exists(flip.file())) {
            return false;
        }
        try (RandomAccessFile file = new RandomAccessFile(flip.file().toFile(), "rw")) {
            file.seek(flip.position());
            int was = file.read();
            file.seek(flip.position());
            file.write(was ^ 0x10);
        }
        return true;
    }
}
