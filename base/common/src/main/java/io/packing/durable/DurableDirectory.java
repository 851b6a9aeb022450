// SPDX-License-Identifier: Apache-2.0
package io.packing.durable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Operations on names that survive a power loss. Forcing a file makes its bytes stable, but not its name: that is part
 * of its directory, which has to be forced, too.
 */
public final class DurableDirectory {
    private DurableDirectory() {}

    /** Makes the names in a directory stable, of files that were made, renamed or deleted. */
    public static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory)) {
            channel.force(true);
        }
    }

    /**
     * Makes a directory for the user of this process alone ({@link OwnerOnly}) with its missing parents, and makes
     * their names stable.
     */
    public static Path create(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        // Sync its own name even if it exists: an earlier process may have ended before it was stable.
        Deque<Path> parents = new ArrayDeque<>();
        Path parent = absolute.getParent();
        while (parent != null) {
            parents.push(parent);
            parent = Files.exists(parent) ? null : parent.getParent();
        }
        Path unused = OwnerOnly.directory(absolute);
        for (Path each : parents) {
            sync(each);
        }
        return directory;
    }
}
