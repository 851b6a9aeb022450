// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/**
 * A writer of one trace file; trace-format.md is normative. Flushed events are readable even when the file is never
 * closed. Confined to one thread.
 */
public final class TraceFileWriter implements TraceSink {
    private final Path file;
    private final FileChannel channel;
    private final BlockEncoder block;
    private long length;
    private long dropped;

    /**
     * The form of a file.
     *
     * @param version of the format: 1, or 2 to hold system calls
     * @param tickNanos resolution of times, nanoseconds
     * @param compression of Deflate, 1 (fast) to 9 (small)
     */
    public record FileOptions(int version, int tickNanos, int compression) {
        /** Beyond level 4, a few percent of size cost as much processor time as all the rest of a traced call. */
        public static final FileOptions DEFAULT = new FileOptions(TraceLayout.VERSION_1, 1_000, 4);

        /** Makes settings of version 1. */
        public FileOptions(int tickNanos, int compression) {
            this(TraceLayout.VERSION_1, tickNanos, compression);
        }

        /** Returns the default settings, for a file of {@code version}. */
        public static FileOptions ofVersion(int version) {
            return new FileOptions(version, DEFAULT.tickNanos(), DEFAULT.compression());
        }

        public FileOptions {
            if (version != TraceLayout.VERSION_1 && version != TraceLayout.VERSION_2) {
                throw new IllegalArgumentException(
                        "version %d: %d or %d".formatted(version, TraceLayout.VERSION_1, TraceLayout.VERSION_2));
            }
            if (tickNanos < 1 || tickNanos > TraceLayout.MAX_TICK_NANOS) {
                throw new IllegalArgumentException(
                        "a tick of %d ns: from 1 to %d".formatted(tickNanos, TraceLayout.MAX_TICK_NANOS));
            }
            if (compression < 1 || compression > 9) {
                throw new IllegalArgumentException("compression %d: from 1 to 9".formatted(compression));
            }
        }
    }

    private TraceFileWriter(Path file, FileChannel channel, FileOptions settings) {
        this.file = file;
        this.channel = channel;
        this.block = new BlockEncoder(settings.version(), settings.tickNanos(), settings.compression());
    }

    /** Creates a file that must not exist yet. */
    public static TraceFileWriter create(Path file) throws IOException {
        return create(file, FileOptions.DEFAULT);
    }

    /** Creates a file that must not exist yet. */
    public static TraceFileWriter create(Path file, FileOptions settings) throws IOException {
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                TraceFiles.ownersAlone(file, "rw-------"));
        try {
            TraceFileWriter writer = new TraceFileWriter(file, channel, settings);
            writer.append(header(settings));
            return writer;
        } catch (IOException | RuntimeException e) {
            channel.close();
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private static ByteBuffer header(FileOptions settings) {
        byte[] bytes = new byte[TraceLayout.HEADER_SIZE];
        ByteBuffer header = TraceLayout.fields(bytes)
                .putLong(0, TraceLayout.HEADER_MAGIC)
                .putInt(TraceLayout.VERSION_AT, settings.version())
                .putInt(TraceLayout.TICK_AT, settings.tickNanos());
        return header.putInt(TraceLayout.HEADER_CRC_AT, TraceLayout.crc(bytes, 0, TraceLayout.HEADER_CRC_AT));
    }

    /**
     * Writes an event.
     *
     * @throws IllegalArgumentException when one of its texts is longer than the format allows; the file then has no
     *     part of it
     */
    @Override
    public void write(TraceEvent event) throws IOException {
        write((EventFields) event);
    }

    /**
     * Writes an event without keeping it.
     *
     * @throws IllegalArgumentException when no trace can hold it; the file then has no part of it
     */
    public void write(EventFields event) throws IOException {
        if (block.events() > 0 && block.isFullFor(event)) {
            flush();
        }
        block.add(event);
    }

    /** Notes events that were lost before the next one that is written. */
    public void dropped(long events) {
        if (events < 0) {
            throw new IllegalArgumentException("dropped %d events".formatted(events));
        }
        dropped += events;
    }

    /** Ends the block, so that everything written so far is in the file. It does not sync. */
    public void flush() throws IOException {
        if (block.events() > 0 || dropped > 0) {
            ByteBuffer bytes = block.finish(dropped);
            dropped = 0;
            append(bytes);
        }
    }

    /** Returns the number of bytes in the file so far. */
    public long length() {
        return length;
    }

    private void append(ByteBuffer bytes) throws IOException {
        requirePlace();
        long at = length;
        while (bytes.hasRemaining()) {
            at += channel.write(bytes, at);
        }
        // Counts whole blocks only: abandon() cuts off the rest.
        length = at;
    }

    /** Returns whether the file still has its name. Writes to a deleted file succeed, but no reader will find them. */
    boolean isInPlace() {
        return Files.exists(file);
    }

    private void requirePlace() throws NoSuchFileException {
        if (!isInPlace()) {
            throw new NoSuchFileException(
                    file.toString(), null, "another program removed the trace during its recording");
        }
    }

    /** Ends the file after a failure, with its whole blocks, if any. */
    void abandon() {
        block.close();
        try (channel) {
            channel.truncate(length);
            if (length <= TraceLayout.HEADER_SIZE) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // The caller already has the failure that tore the file; this one adds no knowledge.
        }
    }

    @Override
    public void close() throws IOException {
        try (channel;
                block) {
            flush();
        }
    }
}
