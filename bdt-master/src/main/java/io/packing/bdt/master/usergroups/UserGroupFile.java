// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.usergroups;

import io.packing.transport.watch.WatchedFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Groups from a file like {@code /etc/group}: lines of {@code GROUP:PASSWORD:ID:USER,USER}; their second and third parts do not
 * count. Empty lines, and those that begin with #, are passed over. A changed file is read again; if it cannot be read, the
 * last groups stay in use.
 */
public final class UserGroupFile implements UserGroups {
    private static final Duration KEEP = Duration.ofSeconds(5);
    private static final int PARTS = 4;

    private final Path file;
    private final WatchedFiles watched;
    private volatile Map<String, Set<String>> groups = Map.of();

    private UserGroupFile(Path file) {
        this.file = file;
        this.watched = WatchedFiles.read(List.of(file), this::load);
    }

    /** Reads a file; throws {@link IllegalArgumentException} when it cannot be read, or has another format. */
    public static UserGroupFile read(Path file) {
        return new UserGroupFile(file);
    }

    private void load() throws IOException {
        Map<String, Set<String>> read = new HashMap<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split(":", -1);
            if (parts.length != PARTS || parts[0].isBlank()) {
                throw new IllegalArgumentException(
                        "line %d is '%s', want GROUP:PASSWORD:ID:USER,USER".formatted(number, line));
            }
            for (String user : parts[PARTS - 1].split(",", -1)) {
                if (!user.isBlank()) {
                    read.computeIfAbsent(user.strip(), name -> new HashSet<>()).add(parts[0].strip());
                }
            }
        }
        groups = Map.copyOf(read);
    }

    @Override
    public Set<String> groups(String user) {
        watched.refresh();
        return Set.copyOf(groups.getOrDefault(user, Set.of()));
    }

    @Override
    public Duration keep() {
        return KEEP;
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
