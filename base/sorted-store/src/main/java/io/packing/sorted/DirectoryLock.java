package io.packing.sorted;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Exclusive use of a directory, by any process or class loader: a lock on its file {@code LOCK}.
 *
 * <p>POSIX drops all of a process's locks on a file when it closes any descriptor of it, so a refused second opener must
 * not even open the file. The registry that refuses it is the system properties: a static exists once per class loader.
 */
public final class DirectoryLock implements AutoCloseable {
    private static final String HELD = "io.packing.sorted.lock:";

    private final FileChannel channel;
    private final String registered;

    private DirectoryLock(FileChannel channel, String registered) {
        this.channel = channel;
        this.registered = registered;
    }

    /** Takes the lock or says who to look for. */
    public static DirectoryLock acquire(Path directory) throws IOException {
        String registered = HELD + directory.toRealPath();
        if (System.getProperties().putIfAbsent(registered, "held") != null) {
            throw new IOException("%s is in use by this process already: close the other user, or configure another"
                            .formatted(directory)
                    + " directory");
        }
        try {
            return new DirectoryLock(lock(directory), registered);
        } catch (IOException | RuntimeException e) {
            System.getProperties().remove(registered);
            throw e;
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        Path file = directory.resolve("LOCK");
        FileChannel channel;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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
        throw new IOException(
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
