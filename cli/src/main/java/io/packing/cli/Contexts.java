// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The mounts that a user has given names, and the current one of them: lines {@code NAME URI} in a file of the user, with a star
 * before the current one. A change replaces the file as a whole.
 */
final class Contexts {
    /** The variable that names another file. */
    static final String FILE_VARIABLE = "PACKING_CONTEXTS";

    /** The variable that names the mount of one shell; it goes before the current context. */
    static final String MOUNT_VARIABLE = "PACKING_MOUNT";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
    private static final String CURRENT = "* ";

    private final Path file;

    Contexts(Path file) {
        this.file = file;
    }

    /** Returns the contexts of the user whose environment this is. */
    static Contexts of(Map<String, String> environment) {
        String named = environment.getOrDefault(FILE_VARIABLE, "");
        if (!named.isEmpty()) {
            return new Contexts(Path.of(named));
        }
        String config = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path folder = config.isEmpty()
                ? Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".config")
                : Path.of(config);
        return new Contexts(folder.resolve("packing").resolve("contexts"));
    }

    /**
     * The contexts of a user.
     *
     * @param current name of the current one; empty: none
     * @param uris by their names
     */
    record Named(Optional<String> current, NavigableMap<String, MountUri> uris) {
        Named {
            uris = new TreeMap<>(uris);
        }

        Optional<MountUri> uri() {
            return current.map(uris::get);
        }

        MountUri get(String name) {
            MountUri uri = uris.get(name);
            if (uri == null) {
                throw new IllegalArgumentException("there is no context '%s'; there are: %s"
                        .formatted(name, uris.isEmpty() ? "none" : String.join(", ", uris.keySet())));
            }
            return uri;
        }
    }

    /**
     * Reads the file; without one there are no contexts.
     *
     * @throws IllegalArgumentException naming the line that cannot be used
     */
    Named read() throws IOException {
        Optional<String> current = Optional.empty();
        NavigableMap<String, MountUri> uris = new TreeMap<>();
        List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
        for (String line : lines) {
            boolean isCurrent = line.startsWith(CURRENT);
            String text = (isCurrent ? line.substring(CURRENT.length()) : line).strip();
            if (text.isEmpty() || text.startsWith("#")) {
                continue;
            }
            String[] words = text.split("\\s+", 2);
            try {
                uris.put(words[0], MountUri.parse(words.length == 2 ? words[1] : ""));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "%s: '%s': %s. Mend the line, or remove the file".formatted(file, line, e.getMessage()), e);
            }
            current = isCurrent ? Optional.of(words[0]) : current;
        }
        return new Named(current, uris);
    }

    /** Adds a context, or gives one another mount. The first one becomes the current one. */
    Named add(String name, MountUri uri) throws IOException {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'%s' is no name of a context: letters, digits, '.', '_' and '-'".formatted(name));
        }
        Named before = read();
        NavigableMap<String, MountUri> uris = new TreeMap<>(before.uris());
        uris.put(name, uri);
        return write(new Named(before.current().or(() -> Optional.of(name)), uris));
    }

    /** Makes a context the current one. */
    Named use(String name) throws IOException {
        Named before = read();
        MountUri unused = before.get(name);
        return write(new Named(Optional.of(name), before.uris()));
    }

    /** Removes a context; when it is the current one, there is none then. */
    Named remove(String name) throws IOException {
        Named before = read();
        MountUri unused = before.get(name);
        NavigableMap<String, MountUri> uris = new TreeMap<>(before.uris());
        uris.remove(name);
        return write(new Named(before.current().filter(current -> !current.equals(name)), uris));
    }

    private Named write(Named contexts) throws IOException {
        Path whole = file.toAbsolutePath();
        Path folder = whole.getParent() == null ? whole : whole.getParent();
        Files.createDirectories(folder);
        List<String> lines = new ArrayList<>();
        contexts.uris()
                .forEach((name, uri) -> lines.add(
                        (contexts.current().filter(name::equals).isPresent() ? CURRENT : "") + name + " " + uri));
        // A reader sees the file before or after the change. Only its owner can read the hosts in it.
        Path made = Files.createTempFile(
                folder,
                "contexts",
                ".new",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.write(made, lines, StandardCharsets.UTF_8);
            Files.move(made, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(made);
        }
        return contexts;
    }
}
