// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Direct buffers of zeros whose pages take memory and time only when they are touched. Each start of a worker makes one of megabytes, of
 * which it fills a few kilobytes in a schedule.
 */
final class LargeBuffers {
    /** Smaller buffers are filled with zeros sooner than they are mapped. */
    private static final int LEAST_BYTES = 64 << 10;

    private static final int MOST_BYTES = 64 << 20;
    private static final FileChannel ZEROS = zeros();

    private LargeBuffers() {}

    private static FileChannel zeros() {
        try {
            Path file = Files.createTempFile("simulation", ".zeros");
            try {
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                int unused = channel.write(ByteBuffer.allocate(1), MOST_BYTES - 1);
                return channel;
            } finally {
                // The open file stays until the process ends.
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a direct buffer of zeros. */
    static ByteBuffer allocateDirect(int bytes) {
        if (bytes < LEAST_BYTES || bytes > MOST_BYTES) {
            return ByteBuffer.allocateDirect(bytes);
        }
        try {
            return ZEROS.map(FileChannel.MapMode.PRIVATE, 0, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
