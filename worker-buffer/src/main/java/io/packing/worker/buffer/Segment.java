package io.packing.worker.buffer;

import io.packing.blob.BlobHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An append-only file of records that starts with a blob header. Its state is guarded by the {@link FileBuffer}. */
public final class Segment {
    private final long number;
    private final Path path;
    private final FileChannel channel;
    private final boolean dedicated;
    private final long openedNanos;
    private long position;

    /** Files that have bytes here and are still needed, by their state. */
    private final Map<BufferedFile.State, Integer> counts = new EnumMap<>(BufferedFile.State.class);

    /** Where the records of files start whose fate is not known yet, in their order: such a segment is not packed. */
    final Map<Long, Long> pending = new LinkedHashMap<>();

    /** The large files that have bytes here; small ones are found in the index. */
    final Set<BufferedFile> large = new LinkedHashSet<>();

    /** Files that a packer has taken. */
    final List<BufferedFile> taken = new ArrayList<>();

    /** Bounds of the ids of files that are in the index. */
    long minId = Long.MAX_VALUE;

    long maxId;

    /** Files that have been placed here, gone ones included. */
    int records;

    /** The end of the records that are accounted for. */
    long placedEnd;

    boolean rolled;
    boolean sealing;
    boolean sealed;

    private Segment(long number, Path path, FileChannel channel, boolean dedicated, long openedNanos, long position) {
        this.number = number;
        this.path = path;
        this.channel = channel;
        this.dedicated = dedicated;
        this.openedNanos = openedNanos;
        this.position = position;
    }

    static Segment create(long number, Path path, boolean dedicated, long nowNanos) throws IOException {
        FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Segment segment = new Segment(number, path, channel, dedicated, nowNanos, 0);
        segment.append(BlobHeader.bytes());
        return segment;
    }

    /** Opens a segment of an earlier process, without what follows its last whole record. */
    static Segment reopen(long number, Path path, boolean dedicated, long nowNanos, long length) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        channel.truncate(length);
        Segment segment = new Segment(number, path, channel, dedicated, nowNanos, length);
        segment.rolled = true;
        return segment;
    }

    long number() {
        return number;
    }

    int count(BufferedFile.State state) {
        return counts.getOrDefault(state, 0);
    }

    void add(BufferedFile.State state, int change) {
        counts.merge(state, change, Integer::sum);
    }

    /** Whether no file has bytes here that are still needed. */
    boolean isEmpty() {
        return counts.values().stream().allMatch(count -> count == 0);
    }

    /** Whether all its files are known to be damaged: nothing will ever be packed from here. */
    boolean isOnlyDamaged() {
        int damaged = count(BufferedFile.State.DAMAGED);
        return damaged > 0
                && damaged
                        == counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** A file of the segment has a row in the index now. */
    void indexed(long fileId) {
        minId = Math.min(minId, fileId);
        maxId = Math.max(maxId, fileId);
    }

    /** Up to where a restart need not scan. */
    long checkpoint() {
        return pending.isEmpty() ? placedEnd : pending.values().iterator().next();
    }

    public Path path() {
        return path;
    }

    public FileChannel channel() {
        return channel;
    }

    /** Whether all its bytes are of one large file. */
    public boolean dedicated() {
        return dedicated;
    }

    long openedNanos() {
        return openedNanos;
    }

    /** Bytes of header and records; a footer may follow. */
    public long position() {
        return position;
    }

    long append(ByteBuffer bytes) throws IOException {
        long at = position;
        long to = at;
        while (bytes.hasRemaining()) {
            to += channel.write(bytes, to);
        }
        position = to;
        return at;
    }

    void delete() throws IOException {
        channel.close();
        Files.deleteIfExists(path);
    }
}
