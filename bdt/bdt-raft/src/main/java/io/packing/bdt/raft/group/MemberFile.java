// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import io.packing.durable.DurableDirectory;
import io.packing.durable.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The identity of a member's directory: a line each for the member's id, the directory's instance, the group's id, and
 * the number of starts.
 *
 * @param instance a random name: no other directory has it, not even one of that member
 */
public record MemberFile(String id, String instance, String group, long starts) {
    private static final String NAME = "member";

    /** Reads the file; empty if the directory is new. */
    public static Optional<MemberFile> read(Path directory) throws IOException {
        Path file = directory.resolve(NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        try {
            return Optional.of(new MemberFile(lines.get(0), lines.get(1), lines.get(2), Long.parseLong(lines.get(3))));
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new IOException(
                    "%s is damaged: replace this member by one with an empty directory".formatted(file), e);
        }
    }

    /** Writes the next start, before the member does anything in it. */
    public MemberFile started(Path directory) throws IOException {
        MemberFile next = new MemberFile(id, instance, group, starts + 1);
        DurableDirectory.create(directory);
        DurableFile.write(directory, NAME, "%s\n%s\n%s\n%d\n".formatted(id, instance, group, starts + 1));
        return next;
    }
}
