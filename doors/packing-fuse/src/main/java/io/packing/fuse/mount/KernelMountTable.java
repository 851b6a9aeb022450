// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.mount;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The table of mounts, read from {@code /proc/self/mountinfo}. */
public final class KernelMountTable {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final int POINT = 4;
    private static final int OPTIONS = 5;

    private KernelMountTable() {}

    /**
     * An entry of the table.
     *
     * @param directory the place of the mount
     * @param source that whoever mounted it named
     * @param readOnly whether this place refuses changes, or the file system does
     */
    public record Entry(Path directory, String type, String source, boolean readOnly) {}

    /** Returns all entries, in the order in which they were mounted. */
    public static List<Entry> entries() throws IOException {
        List<Entry> entries = new ArrayList<>();
        // Latin 1 keeps every byte; mount points need not be UTF-8.
        for (String line : Files.readAllLines(MOUNTS, StandardCharsets.ISO_8859_1)) {
            int dash = line.indexOf(" - ");
            String[] fields = line.split(" ", -1);
            if (dash < 0 || fields.length <= OPTIONS) {
                continue;
            }
            String[] system = line.substring(dash + 3).split(" ", 3);
            boolean isReadOnly = isReadOnly(fields[OPTIONS]) || (system.length > 2 && isReadOnly(system[2]));
            entries.add(new Entry(
                    Path.of(unescape(fields[POINT])),
                    system[0],
                    system.length > 1 ? unescape(system[1]) : "",
                    isReadOnly));
        }
        return entries;
    }

    private static boolean isReadOnly(String options) {
        return Arrays.asList(options.split(",", -1)).contains("ro");
    }

    /** Returns the entry that was mounted last at a directory; empty: nothing is mounted there. */
    public static Optional<Entry> at(Path directory) throws IOException {
        Path wanted = directory.toAbsolutePath().normalize();
        Optional<Entry> found = Optional.empty();
        for (Entry each : entries()) {
            if (each.directory().equals(wanted)) {
                found = Optional.of(each);
            }
        }
        return found;
    }

    /** Returns the type of the file system that was mounted last at a directory; empty: nothing is mounted there. */
    public static Optional<String> typeAt(Path directory) throws IOException {
        return at(directory).map(Entry::type);
    }

    /** Returns whether a mount is at the directory whose server is gone. */
    public static boolean isDead(Path directory) throws IOException {
        if (typeAt(directory).filter(type -> type.startsWith("fuse")).isEmpty()) {
            return false;
        }
        try {
            Object unused = Files.getAttribute(directory, "unix:ino");
            return false;
        } catch (FileSystemException e) {
            return true;
        }
    }

    /** Unmounts a directory, also when it is in use. A directory that is not mounted is no error. */
    public static void unmount(Path directory) throws IOException, InterruptedException {
        if (typeAt(directory).isEmpty()) {
            return;
        }
        Process umount = new ProcessBuilder(
                        "umount",
                        "-l",
                        "-i",
                        directory.toAbsolutePath().normalize().toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        int code = umount.waitFor();
        if (code != 0 && typeAt(directory).isPresent()) {
            throw new IOException("%s could not be unmounted: umount -l ended with %d".formatted(directory, code));
        }
    }

    /** Decodes characters that the table writes in octal, such as spaces. */
    static String unescape(String field) {
        if (field.indexOf('\\') < 0) {
            return utf8(field);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && field.substring(i + 1).matches("[0-7]{3}.*")) {
                text.append((char) Integer.parseInt(field.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                text.append(field.charAt(i));
            }
        }
        return utf8(text.toString());
    }

    private static String utf8(String latin1) {
        return new String(latin1.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
