// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import io.packing.durable.DurableDirectory;
import io.packing.durable.OwnerOnly;
import io.packing.sorted.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A mutation log in local files: segments of records.
 *
 * <pre>
 * record  0:4 magic   4:8 payload length   8:12 CRC32C of length and payload   12: payload      big-endian
 * </pre>
 *
 * A record that is cut off at the end of the last segment was never acknowledged and is dropped; damage with intact
 * records behind it is an error, because they were acknowledged (unless nothing is ever synced: then power loss may
 * leave later pages and not earlier ones). Confined to the writer thread.
 */
public final class FileLog implements MutationLog {
    private static final Logger LOG = LoggerFactory.getLogger(FileLog.class);
    private static final int MAGIC = 0x42_44_54_4c;
    private static final int HEADER = 12;
    private static final int MAX_PAYLOAD = 512 << 20;
    /**
     * Segments kept behind the current one. A segment holds more than the store's write buffer, and an engine keeps at
     * most two buffers that are not in synced tables: older segments are not needed after a sync of the store.
     */
    private static final int SEGMENTS_KEPT = 3;

    private final Path directory;
    private final long segmentBytes;
    private boolean synced;
    private final List<LogSegment> segments = new ArrayList<>();
    private @Nullable FileChannel channel;
    private long end;
    private byte @Nullable [] last;

    private FileLog(Path directory, long segmentBytes, boolean synced) {
        this.directory = directory;
        this.segmentBytes = segmentBytes;
        this.synced = synced;
    }

    /** Opens the log, checks every record of every segment that is still there, cuts a torn tail off, and makes the rest stable. */
    public static FileLog open(Path directory, long segmentBytes, boolean synced) throws IOException {
        DurableDirectory.create(directory);
        FileLog opened = new FileLog(directory, segmentBytes, synced);
        try (Stream<Path> files = Files.list(directory)) {
            files.filter(LogSegment::isSegment).map(LogSegment::of).forEach(opened.segments::add);
        }
        opened.segments.sort(Comparator.comparingLong(LogSegment::firstPosition));
        for (int i = 0; i < opened.segments.size(); i++) {
            opened.check(opened.segments.get(i), i == opened.segments.size() - 1);
        }
        return opened;
    }

    @Override
    public boolean isSynced() {
        return synced;
    }

    /** Answers mutations after a sync from now on, or without one. */
    public void answerSynced(boolean from) {
        synced = from;
    }

    @Override
    public Optional<byte[]> last() {
        return Optional.ofNullable(last);
    }

    @Override
    public void replay(Reader reader) throws IOException {
        for (LogSegment segment : segments) {
            try (FileChannel from = FileChannel.open(segment.file(), StandardOpenOption.READ)) {
                walk(from, reader);
            }
        }
    }

    @Override
    public void append(long firstPosition, byte[] payload) throws IOException {
        FileChannel to = channel;
        if (to == null || end >= segmentBytes) {
            try {
                to = roll(firstPosition);
            } catch (IOException e) {
                throw asDiskFull(e);
            }
        }
        ByteBuffer record = ByteBuffer.allocate(HEADER + payload.length);
        record.putInt(MAGIC)
                .putInt(payload.length)
                .putInt(crc(payload))
                .put(payload)
                .flip();
        long at = end;
        try {
            while (record.hasRemaining()) {
                at += to.write(record, at);
            }
        } catch (IOException e) {
            // A part of a record must not stand before the next one.
            to.truncate(end);
            throw asDiskFull(e);
        }
        end = at;
    }

    private IOException asDiskFull(IOException e) {
        return DiskFullException.isCauseOf(e)
                ? new DiskFullException("%s: free some space: %s".formatted(directory, e.getMessage()), e)
                : e;
    }

    @Override
    public void sync() throws IOException {
        if (channel != null) {
            channel.force(false);
        }
    }

    @Override
    public long mark() {
        return channel == null || end >= segmentBytes ? 0 : end;
    }

    @Override
    public void truncate(long mark) throws IOException {
        if (channel != null) {
            channel.truncate(mark);
            end = mark;
        }
    }

    @Override
    public boolean isLong() {
        return segments.size() > 2 * SEGMENTS_KEPT;
    }

    @Override
    public void trim() throws IOException {
        deleteAllBut(SEGMENTS_KEPT);
    }

    /** Returns the number of segments; each holds at least the configured number of bytes, but for the last. */
    int segments() {
        return segments.size();
    }

    /** Deletes all but the newest segments. */
    void deleteAllBut(int newest) throws IOException {
        while (segments.size() > newest) {
            Files.deleteIfExists(segments.remove(0).file());
            // A loss of power undoes deletions in any order. A segment that comes back without its successor would be
            // replayed over newer rows, so the next deletion waits until this one is stable.
            DurableDirectory.sync(directory);
        }
    }

    @Override
    public void close() throws IOException {
        if (channel != null) {
            channel.close();
        }
    }

    private FileChannel roll(long firstPosition) throws IOException {
        if (channel != null) {
            // The next batch syncs only its own segment.
            channel.force(false);
            channel.close();
            channel = null;
        }
        LogSegment segment = new LogSegment(firstPosition, directory.resolve(LogSegment.fileName(firstPosition)));
        FileChannel opened = OwnerOnly.open(
                segment.file(),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
        try {
            DurableDirectory.sync(directory);
        } catch (IOException e) {
            opened.close();
            throw e;
        }
        if (segments.isEmpty() || !segments.get(segments.size() - 1).equals(segment)) {
            segments.add(segment);
        }
        channel = opened;
        end = 0;
        return opened;
    }

    private void check(LogSegment segment, boolean last) throws IOException {
        try (FileChannel from = FileChannel.open(segment.file(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long size = from.size();
            long good = walk(from, payload -> this.last = payload);
            if (good == size) {
                if (last) {
                    // A process that was killed may not have forced its last records. This one goes on from them, so
                    // that a later loss of
                    // power must not take them: it would leave a hole before its own records.
                    from.force(false);
                }
                return;
            }
            if (synced && (!last || hasRecordAfter(from, good + 1, size))) {
                throw new IOException(
                        "%s: damaged record at byte %d with later records behind it. Restore the file, or remove"
                                        .formatted(segment.file(), good)
                                + " the mount's directory to recover from the backing store.");
            }
            LOG.warn("{}: dropping {} bytes of a record that was not completed", segment.file(), size - good);
            from.truncate(good);
            // A later loss of power must not bring the end back: by then this is not the last segment.
            from.force(true);
        }
    }

    /** Hands intact records over and returns where they end. */
    private static long walk(FileChannel from, Reader reader) throws IOException {
        long size = from.size();
        long at = 0;
        while (at < size) {
            byte[] payload = read(from, at, size);
            if (payload == null) {
                break;
            }
            reader.record(payload);
            at += HEADER + payload.length;
        }
        return at;
    }

    /** The payload, or null when the bytes at this offset are not a complete, intact record. */
    private static byte @Nullable [] read(FileChannel from, long at, long size) throws IOException {
        if (size - at < HEADER) {
            return null;
        }
        ByteBuffer header = readFully(from, at, HEADER);
        int magic = header.getInt();
        int length = header.getInt();
        int crc = header.getInt();
        if (magic != MAGIC || length < 0 || length > MAX_PAYLOAD || length > size - at - HEADER) {
            return null;
        }
        byte[] payload = readFully(from, at + HEADER, length).array();
        return crc(payload) == crc ? payload : null;
    }

    /**
     * Returns whether an intact record follows the damage: then the damage is not the torn end of the log.
     */
    private static boolean hasRecordAfter(FileChannel from, long at, long size) throws IOException {
        if (size - at < HEADER) {
            return false;
        }
        ByteBuffer rest = readFully(from, at, (int) Math.min(size - at, MAX_PAYLOAD));
        for (int i = 0; i + HEADER <= rest.limit(); i++) {
            if (rest.getInt(i) == MAGIC && read(from, at + i, size) != null) {
                return true;
            }
        }
        return false;
    }

    private static ByteBuffer readFully(FileChannel from, long at, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (from.read(bytes, at + bytes.position()) < 0) {
                throw new IOException("the log became shorter while it was read");
            }
        }
        return bytes.flip();
    }

    private static int crc(byte[] payload) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(4).putInt(payload.length).flip());
        crc.update(payload);
        return (int) crc.getValue();
    }
}
