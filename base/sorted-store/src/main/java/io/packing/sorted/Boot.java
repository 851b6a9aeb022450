// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** An identity of one boot of the machine: unsynced data survive the end of a process, but not of the machine. */
public final class Boot {
    private static final Path ID = Path.of("/proc/sys/kernel/random/boot_id");

    private Boot() {}

    /** Returns the id of this boot; empty when the system does not say. */
    public static String id() {
        try {
            return Files.readString(ID).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * Returns the place of a file on this machine since its boot: another file has another one, also a copy of it at
     * its path. Empty when the system does not say.
     */
    public static String place(Path file) throws IOException {
        String boot = id();
        if (boot.isEmpty()
                || !file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return "";
        }
        return "%s:%s:%s".formatted(boot, Files.getAttribute(file, "unix:dev"), Files.getAttribute(file, "unix:ino"));
    }
}
