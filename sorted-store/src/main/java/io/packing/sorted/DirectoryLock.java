package io.packing.sorted;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Exclusive use of a directory, by any process or class loader: a lock on its file {@code LOCK}. The JDK refuses a second
 * lock in one JVM whatever class loader asks, so no static registry is needed.
 */
public final class DirectoryLock implements AutoCloseable {
    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /** Takes the lock or says who to look for. */
    public static DirectoryLock acquire(Path directory) throws IOException {
        Path file = directory.resolve("LOCK");
        FileChannel channel;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new IOException(
                    "%s: cannot open the lock file; check the directory's permissions".formatted(file), e);
        }
        try {
            if (tryLock(channel) != null) {
                return new DirectoryLock(channel);
            }
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new IOException(
                "%s is in use by another process: stop it, or configure another directory".formatted(directory));
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
