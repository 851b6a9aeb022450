// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Programs that tests run, and descriptions of directories. */
public final class Commands {
    private Commands() {}

    /** Runs a program to its end; returns its output. */
    public static String run(Path directory, String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        if (exit != 0) {
            throw new IOException("%s ended with %d: %s".formatted(List.of(command), exit, said));
        }
        return said;
    }

    /**
     * Describes all entries below a directory, by path: type, mode, owners, time, and the bytes or target or device
     * number.
     */
    public static Map<String, String> describe(Path root) throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                all.put(root.relativize(file).toString(), describeOne(file));
            }
        }
        return all;
    }

    private static String describeOne(Path file) throws IOException {
        Map<String, Object> has = Files.readAttributes(file, "unix:*", LinkOption.NOFOLLOW_LINKS);
        int mode = (Integer) Objects.requireNonNull(has.get("mode"));
        String type = switch (mode & 0170000) {
            case 0100000 ->
                "%d bytes, hash %d"
                        .formatted(
                                (Long) Objects.requireNonNull(has.get("size")),
                                Arrays.hashCode(Files.readAllBytes(file)));
            case 0120000 -> "link to " + Files.readSymbolicLink(file);
            case 0040000 -> "directory";
            case 0010000 -> "fifo";
            default -> "device " + has.get("rdev");
        };
        long seconds = ((FileTime) Objects.requireNonNull(has.get("lastModifiedTime"))).toMillis() / 1_000;
        return "%o of %s:%s at %d: %s".formatted(mode, has.get("uid"), has.get("gid"), seconds, type);
    }
}
