// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/**
 * Free loopback ports for servers that get a port and start seconds later in another process.
 *
 * <p>A process owns a port until the process ends: it has a lock on the port's byte of a file that all processes of a
 * user share. The ports lie below those that a system chooses itself.
 */
public final class Ports {
    private static final int FIRST = 20_000;
    private static final int END = 32_000;
    private static final int TRIES = 10_000;

    private static final Path LEASES =
            Path.of(System.getProperty("java.io.tmpdir"), "packing-ports-" + System.getProperty("user.name"));

    /** The file of locks. It stays open until the process ends, since closing it would release all ports. */
    private static Optional<FileChannel> leases = Optional.empty();

    private Ports() {}

    /** Returns {@code count} different ports without a listener, which no other process gets. */
    public static List<Integer> free(int count) throws IOException {
        return free(count, ThreadLocalRandom.current());
    }

    static synchronized List<Integer> free(int count, RandomGenerator random) throws IOException {
        if (leases.isEmpty()) {
            leases = Optional.of(FileChannel.open(
                    LEASES, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        }
        List<Integer> ports = new ArrayList<>();
        for (int i = 0; i < TRIES && ports.size() < count; i++) {
            int port = random.nextInt(FIRST, END);
            if (isLeased(leases.get(), port)) {
                ports.add(port);
            }
        }
        if (ports.size() < count) {
            throw new IOException("of the ports %d to %d, fewer than %d are free".formatted(FIRST, END - 1, count));
        }
        return ports;
    }

    private static boolean isLeased(FileChannel leases, int port) throws IOException {
        FileLock lease;
        try {
            lease = leases.tryLock(port, 1, false);
        } catch (OverlappingFileLockException e) {
            return false;
        }
        if (lease == null) {
            return false;
        }
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return probe.isBound();
        } catch (IOException e) {
            lease.release();
            return false;
        }
    }
}
