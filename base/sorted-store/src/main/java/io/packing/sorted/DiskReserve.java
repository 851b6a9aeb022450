// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import io.packing.durable.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;

/**
 * A file that only reserves space against other processes. The store gives it up when the disk is about to be full, so
 * that the engine's writes at that moment fit. Thread-safe.
 */
final class DiskReserve {
    private static final int CHUNK_BYTES = 1 << 20;

    private final Path file;
    private final long bytes;
    private volatile long held;

    /** @param bytes 0 makes no file */
    DiskReserve(Path file, long bytes) throws IOException {
        this.file = file;
        this.bytes = bytes;
        this.held = Files.exists(file) ? Files.size(file) : 0;
    }

    /** Returns its present size. */
    long heldBytes() {
        return held;
    }

    /** Takes a bounded piece of the missing space. */
    synchronized void grow() throws IOException {
        long size = held;
        if (size >= bytes) {
            return;
        }
        byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, bytes - size)];
        // Some file systems store no zeros, and no repetitions.
        new SplittableRandom(size).nextBytes(chunk);
        ByteBuffer rest = ByteBuffer.wrap(chunk);
        try (FileChannel channel = OwnerOnly.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            while (rest.hasRemaining()) {
                int written = channel.write(rest, size + rest.position());
                if (written <= 0) {
                    throw new IOException("%s takes no bytes".formatted(file));
                }
            }
        } finally {
            held = size + rest.position();
        }
    }

    /** Gives the space up; returns its bytes. */
    synchronized long release() throws IOException {
        long size = held;
        if (size > 0) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
            held = 0;
        }
        return size;
    }
}
