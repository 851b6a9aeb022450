// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Removal of folders. */
public final class Folders {
    private Folders() {}

    /** Removes a folder tree, if it exists. */
    public static void remove(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
