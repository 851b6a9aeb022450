package io.packing.bdt.raft.group;

import io.packing.durable.DurableDirectory;
import io.packing.durable.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Whose directory it is: a line each for the member's id, the directory's instance, the group's id, and how often it was started.
 *
 * @param instance a random name: no other directory has it, not even one of the same member
 */
public record MemberFile(String id, String instance, String group, long starts) {
    private static final String NAME = "member";

    /** Empty: the directory is new. */
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

    /** The next start, which is written before anything is done in it. */
    public MemberFile started(Path directory) throws IOException {
        MemberFile next = new MemberFile(id, instance, group, starts + 1);
        DurableDirectory.create(directory);
        DurableFile.write(directory, NAME, "%s\n%s\n%s\n%d\n".formatted(id, instance, group, starts + 1));
        return next;
    }
}
