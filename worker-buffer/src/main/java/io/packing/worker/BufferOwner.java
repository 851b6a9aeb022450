// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import com.google.common.hash.Hashing;
import io.packing.durable.DurableFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;

/**
 * The owner of a buffer directory: the worker that claimed its files, and a token that no other directory has. By the
 * token a restarted worker takes its own session over at once. The worker writes this file when it first uses the
 * directory.
 */
record BufferOwner(String worker, String token) {
    private static final String FILE = "owner";
    /** The characters of a place's hash in a token: a registration takes 64 characters, and a UUID has 36. */
    private static final int PLACE_LETTERS = 16;

    /**
     * Reads the owner of a directory that this process has locked, or makes this worker its owner.
     *
     * @throws IOException when another worker owns the directory: the master would not want its files
     */
    static BufferOwner of(Path directory, String worker) throws IOException {
        Path file = directory.resolve(FILE);
        if (!Files.exists(file)) {
            BufferOwner made = new BufferOwner(worker, UUID.randomUUID().toString());
            DurableFile.write(directory, FILE, "%s\n%s\n".formatted(made.worker, made.token));
            return made;
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.size() != 2) {
            throw new IOException(
                    "%s is damaged: delete it if the directory is that of worker '%s'".formatted(file, worker));
        }
        BufferOwner owner = new BufferOwner(lines.get(0), lines.get(1));
        if (!owner.worker.equals(worker)) {
            throw new IOException(
                    "%s is the buffer of worker '%s', not of '%s': start it with that id, or take another directory"
                            .formatted(directory, owner.worker, worker));
        }
        return owner;
    }

    /**
     * Returns the token of the directory at this place. A copy of the directory has another place, and so has the
     * directory itself after the machine boots. Such a worker waits until the earlier session has ended, as one with a
     * new directory does.
     *
     * @param place of the file that its process has locked; empty when the system does not say
     */
    String token(String place) {
        String hash = Hashing.sha256().hashString(place, StandardCharsets.UTF_8).toString();
        return place.isEmpty() ? token : token + "-" + hash.substring(0, PLACE_LETTERS);
    }
}
