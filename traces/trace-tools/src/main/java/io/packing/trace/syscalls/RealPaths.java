// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The paths of opened files without symbolic links, as this machine has them shortly after the open. A directory that was
 * looked up keeps its answer. Memory grows with the number of directories. Confined to one thread.
 */
final class RealPaths {
    /** The file systems in which a path means another file to each process. */
    private static final List<String> OF_EACH_PROCESS = List.of("/proc/", "/sys/", "/dev/");

    private static final String SELF = "/proc/self/";

    private final Map<String, String> directories = new HashMap<>();

    /** Returns a path that a process opened without symbolic links, or as it is if it cannot be looked up. */
    String of(String asked, long process) {
        if (asked.startsWith(SELF)) {
            return "/proc/" + process + "/" + asked.substring(SELF.length());
        }
        int slash = asked.lastIndexOf('/');
        if (!asked.startsWith("/")
                || slash == asked.length() - 1
                || asked.indexOf('\\') >= 0
                || OF_EACH_PROCESS.stream().anyMatch(asked::startsWith)) {
            return asked;
        }
        try {
            String directory =
                    slash == 0 ? "" : directories.computeIfAbsent(asked.substring(0, slash), RealPaths::real);
            String path = directory + asked.substring(slash);
            return Files.isSymbolicLink(Path.of(path)) ? real(path) : path;
        } catch (InvalidPathException e) {
            return asked;
        }
    }

    private static String real(String path) {
        try {
            return Path.of(path).toRealPath().toString();
        } catch (IOException e) {
            // The file is gone by now.
            return path;
        }
    }
}
