// SPDX-License-Identifier: Apache-2.0
package io.packing.trace;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A writer of one process's trace as a series of files, in a directory that other processes may write to as well. A
 * file ends at a size or an age; none is empty. After a failure the next event starts a new file, which notes how many
 * events the failure cost. Confined to one thread.
 */
public final class RotatingTraceWriter implements TraceLog {
    private static final int MAX_NAME_TRIES = 1_000;

    private final RotationOptions settings;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final String prefix;
    private @Nullable TraceFileWriter file;
    private long openedNanos;
    private long files;
    private long bytes;
    /** The events of the file's unwritten block, and the drops noted with them. */
    private long pendingEvents;

    private long pendingDrops;
    /** The events and drops in the file's blocks. */
    private long keptEvents;

    private long keptDrops;
    /** A mark that the file has grown by a block since the last check of its size and age. */
    private boolean grown;
    /** Lost events, of this writer or of others, that no file notes yet. */
    private long unnoted;

    private long lost;

    /**
     * The place of the files and the reasons to end one.
     *
     * @param directory made when it is missing
     * @param maxBytes size past which a file ends with its current block
     * @param maxAge time after which a file ends
     * @param format of each file
     */
    public record RotationOptions(Path directory, long maxBytes, Duration maxAge, TraceFileWriter.FileOptions format) {
        public RotationOptions {
            if (maxBytes < 1 || maxAge.isNegative() || maxAge.isZero()) {
                throw new IllegalArgumentException("files of %d bytes and %s".formatted(maxBytes, maxAge));
            }
        }
    }

    /**
     * Creates a writer; the first event opens a file.
     *
     * @param origin names the files; events carry their own
     * @param clock dates the files
     * @param nanoTime monotonic nanoseconds, for their age
     */
    public RotatingTraceWriter(RotationOptions settings, TraceOrigin origin, Clock clock, LongSupplier nanoTime) {
        this.settings = settings;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.prefix = "%s-%d-%s".formatted(plain(origin.host()), origin.pid(), plain(origin.process()));
    }

    private static String plain(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9._]", "_");
        return plain.isEmpty() ? "unnamed" : plain.substring(0, Math.min(plain.length(), 64));
    }

    /**
     * Writes an event.
     *
     * @throws IOException when it, and maybe events before it, are lost; they are counted here and in the next file
     */
    @Override
    public void write(EventFields event) throws IOException {
        try {
            // Not at each event, since to read the clock costs as much as to write an event.
            if (grown) {
                endWhenDue();
            }
            TraceFileWriter current = file == null ? open() : file;
            long before = current.length();
            try {
                current.write(event);
            } finally {
                if (current.length() > before) {
                    // The block before was full and is in the file; this event begins the next.
                    keepPending();
                }
            }
            pendingEvents++;
        } catch (IllegalArgumentException e) {
            // No file can hold this event; those before it are unharmed.
            lost++;
            dropped(1);
            throw e;
        } catch (IOException | RuntimeException e) {
            lose(1);
            abandon();
            throw e;
        }
    }

    @Override
    public void dropped(long events) {
        if (events < 0) {
            throw new IllegalArgumentException("dropped %d events".formatted(events));
        }
        if (file == null) {
            unnoted += events;
        } else {
            file.dropped(events);
            pendingDrops += events;
        }
    }

    /** Puts everything written so far into the file. It does not sync. */
    @Override
    public void flush() throws IOException {
        TraceFileWriter current = file;
        if (current == null) {
            return;
        }
        try {
            current.flush();
            keepPending();
        } catch (IOException e) {
            abandon();
            throw e;
        }
    }

    private void keepPending() {
        keptEvents += pendingEvents;
        keptDrops += pendingDrops;
        forgetPending();
        grown = true;
    }

    private void forgetPending() {
        pendingEvents = 0;
        pendingDrops = 0;
    }

    private void forgetKept() {
        keptEvents = 0;
        keptDrops = 0;
    }

    /**
     * Ends the file when it is large or old enough, or was removed; a process without events calls this from time to
     * time.
     */
    @Override
    public void rotate() throws IOException {
        if (file != null && !file.isInPlace()) {
            abandon();
        }
        endWhenDue();
    }

    private void endWhenDue() throws IOException {
        grown = false;
        TraceFileWriter current = file;
        if (current != null
                && (current.length() >= settings.maxBytes()
                        || nanoTime.getAsLong() - openedNanos
                                >= settings.maxAge().toNanos())) {
            end(current);
        }
    }

    private void end(TraceFileWriter current) throws IOException {
        flush();
        if (!current.isInPlace()) {
            abandon();
            return;
        }
        bytes += current.length();
        file = null;
        forgetKept();
        current.close();
    }

    private TraceFileWriter open() throws IOException {
        // Made again when another program has removed it, so that the trace goes on.
        Files.createDirectories(settings.directory(), TraceFiles.ownersAlone(settings.directory(), "rwx------"));
        for (int tried = 0; tried < MAX_NAME_TRIES; tried++) {
            String name = "%s-%d-%06d%s".formatted(prefix, clock.millis(), files + tried, TraceFiles.SUFFIX);
            try {
                TraceFileWriter opened =
                        TraceFileWriter.create(settings.directory().resolve(name), settings.format());
                openedNanos = nanoTime.getAsLong();
                files += tried + 1L;
                opened.dropped(unnoted);
                pendingDrops = unnoted;
                unnoted = 0;
                file = opened;
                return opened;
            } catch (FileAlreadyExistsException e) {
                // Containers may share a host's name and process ids: the first one to create a file keeps it.
            }
        }
        throw new FileAlreadyExistsException(
                settings.directory().toString(), null, "%d files of this process's names".formatted(MAX_NAME_TRIES));
    }

    private void lose(long events) {
        lost += events;
        unnoted += events;
    }

    /** Gives up the file after a failure: blocks behind a half-written one would be lost with it. */
    private void abandon() {
        TraceFileWriter failed = file;
        if (failed == null) {
            return;
        }
        file = null;
        lose(pendingEvents);
        unnoted += pendingDrops;
        forgetPending();
        if (failed.isInPlace()) {
            bytes += failed.length();
        } else {
            // Another program removed the file with its events.
            lose(keptEvents);
            unnoted += keptDrops;
        }
        forgetKept();
        failed.abandon();
    }

    @Override
    public long lost() {
        return lost;
    }

    /** Returns the number of bytes in all files so far. */
    public long bytes() {
        return bytes + (file == null ? 0 : file.length());
    }

    /** Ends the last file; makes one for drops that no file notes yet. */
    @Override
    public void close() throws IOException {
        rotate();
        if (file == null && unnoted > 0) {
            open();
        }
        if (file != null) {
            end(file);
        }
    }
}
