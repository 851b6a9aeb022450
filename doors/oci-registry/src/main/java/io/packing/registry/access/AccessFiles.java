// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.access;

import io.packing.transport.watch.WatchedFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Users and rights in files, which are read again when they change. When files cannot be used, the last usable ones
 * stay in use, and the log says why. Thread-safe.
 */
public final class AccessFiles implements Supplier<UserRights> {
    private volatile Optional<UserRights> now = Optional.empty();
    private final WatchedFiles files;

    /**
     * Reads the files.
     *
     * @param rights empty: every user may do everything
     * @throws IllegalArgumentException naming the files when they cannot be used
     */
    public AccessFiles(Path users, Optional<Path> rights) {
        List<Path> all = new ArrayList<>(List.of(users));
        rights.ifPresent(all::add);
        files = WatchedFiles.read(all, () -> {
            Passwords passwords = Passwords.parse(Files.readAllLines(users));
            now = Optional.of(
                    rights.isEmpty()
                            ? UserRights.of(passwords)
                            : new UserRights(passwords, Rights.parse(Files.readAllLines(rights.get()))));
        });
    }

    @Override
    public UserRights get() {
        files.refresh();
        return now.orElseThrow();
    }
}
