// SPDX-License-Identifier: Apache-2.0
package io.packing.durable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The exclusive use of a directory against other processes and class loaders: a lock on a file in it.
 *
 * <p>POSIX drops all of a process's locks on a file when it closes any descriptor of it, so a refused second opener
 * must not even open the file. The system properties register the holder: a static field exists once per class loader.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final String HELD = "io.packing.durable.lock:";

    private final FileChannel channel;
    private final String registered;

    private DirectoryLock(FileChannel channel, String registered) {
        this.channel = channel;
        this.registered = registered;
    }

    /**
     * Takes the lock.
     *
     * @param name of the file, which all users of the directory know; made if it is missing
     * @throws DirectoryInUseException when another user has it, naming where to look
     */
    public static DirectoryLock acquire(Path directory, String name) throws IOException {
        String registered = HELD + directory.toRealPath().resolve(name);
        if (System.getProperties().putIfAbsent(registered, "held") != null) {
            throw new DirectoryInUseException(
                    "%s is in use by this process already: close the other user, or configure another directory"
                            .formatted(directory));
        }
        try {
            return new DirectoryLock(lock(directory, name), registered);
        } catch (IOException | RuntimeException e) {
            System.getProperties().remove(registered);
            throw e;
        }
    }

    private static FileChannel lock(Path directory, String name) throws IOException {
        Path file = directory.resolve(name);
        FileChannel channel;
        try {
            channel = OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new IOException(
                    "%s: cannot open the lock file; check the directory's permissions".formatted(file), e);
        }
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new DirectoryInUseException(
                "%s is in use by another process: stop it, or configure another directory".formatted(directory));
    }

    @Override
    public void close() throws IOException {
        if (channel.isOpen()) {
            channel.close();
            System.getProperties().remove(registered);
        }
    }
}
