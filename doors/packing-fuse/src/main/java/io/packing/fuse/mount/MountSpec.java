// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.mount;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The specification of a mount.
 *
 * @param directory the place of the mount; it exists
 * @param state a directory of this mount alone, for the state of a restarted server
 * @param source the source that tables of mounts show
 * @param readOnly whether the kernel refuses changes
 * @param access the users who may use it, and the rights of its files
 * @param daemon whether the mount outlives this process
 */
public record MountSpec(
        Path directory, Path state, String source, boolean readOnly, MountAccessOptions access, boolean daemon) {
    public MountSpec {
        directory = directory.toAbsolutePath().normalize();
        state = state.toAbsolutePath().normalize();
        if (source.isEmpty() || source.startsWith("-")) {
            throw new IllegalArgumentException("'%s' is no source of a mount".formatted(source));
        }
    }

    /** Returns the options for {@code mount -o}, without the descriptor. */
    String options() {
        List<String> options = new ArrayList<>(
                List.of("rootmode=040000", "user_id=0", "group_id=0", "default_permissions", "max_read=1048576"));
        options.add(readOnly ? "ro" : "rw");
        options.addAll(access.options());
        return String.join(",", options);
    }
}
