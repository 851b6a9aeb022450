package io.packing.worker.buffer;

import io.packing.blob.BlobHeader;
import io.packing.blob.Extent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An append-only sequence of records, in a file that starts with a blob header or in a store. Its state is guarded by the {@link FileBuffer}. */
public final class BufferSegment {
    private final long number;
    private final String name;
    private final SegmentBytes bytes;
    private final boolean dedicated;
    private final int life;
    private final long openedNanos;
    private volatile long position;
    private long committed;

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

    SealCause cause = SealCause.SIZE;

    boolean rolled;
    boolean sealing;
    boolean sealed;

    private BufferSegment(
            long number,
            String name,
            SegmentBytes bytes,
            boolean dedicated,
            int life,
            long openedNanos,
            long position) {
        this.number = number;
        this.name = name;
        this.bytes = bytes;
        this.dedicated = dedicated;
        this.life = life;
        this.openedNanos = openedNanos;
        this.position = position;
        this.committed = position;
    }

    static BufferSegment create(
            long number, Path path, SegmentFiles files, boolean dedicated, long nowNanos, Optional<ByteBuffer> gather)
            throws IOException {
        SegmentStart start = SegmentStart.random();
        FileBytes bytes = new FileBytes(path, files.open(path), files, gather);
        BufferSegment segment = new BufferSegment(number, path.toString(), bytes, dedicated, start.life(), nowNanos, 0);
        segment.append(start.encoded(), ByteBuffer.allocate(0));
        // At once: until then the records of an older segment are this one's.
        segment.commit(false);
        return segment;
    }

    /** A segment of values; positions start where those of a file would. */
    static BufferSegment create(long number, ValueStore values, long nowNanos) throws IOException {
        return new BufferSegment(
                number,
                "values of segment " + number,
                values.create(number),
                false,
                SegmentStart.NO_LIFE,
                nowNanos,
                BlobHeader.SIZE);
    }

    /** Opens a segment of an earlier process, without what follows its last whole record. */
    static BufferSegment reopen(
            long number, Path path, SegmentFiles files, boolean dedicated, long nowNanos, long length)
            throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        channel.truncate(length);
        FileBytes bytes = new FileBytes(path, channel, files, Optional.empty());
        // It takes no more records.
        int life = SegmentStart.NO_LIFE;
        BufferSegment segment = new BufferSegment(number, path.toString(), bytes, dedicated, life, nowNanos, length);
        segment.rolled = true;
        segment.cause = SealCause.RESTART;
        return segment;
    }

    static BufferSegment reopen(long number, ValueStore values, long nowNanos, long length) {
        String name = "values of segment " + number;
        BufferSegment segment =
                new BufferSegment(number, name, values.reopen(number), false, SegmentStart.NO_LIFE, nowNanos, length);
        segment.rolled = true;
        segment.cause = SealCause.RESTART;
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

    /** The file that a footer makes a blob, if the segment is one. */
    public Optional<SegmentFile> file() {
        return bytes.file();
    }

    /** Stored bytes, for those who are never interrupted in the middle. */
    public ByteBuffer read(Extent extent) throws IOException {
        return bytes.read(extent.blobOffset(), extent.storedLength());
    }

    /** The same for anybody; fails with NoSuchFileException when the segment is gone. */
    public ByteBuffer readAlone(Extent extent) throws IOException {
        return bytes.readAlone(extent.blobOffset(), extent.storedLength());
    }

    /** Why it takes no more records. */
    public SealCause cause() {
        return cause;
    }

    /** Whether all its bytes are of one large file. */
    public boolean dedicated() {
        return dedicated;
    }

    /** What the headers of its records have in their checksums. */
    int life() {
        return life;
    }

    long openedNanos() {
        return openedNanos;
    }

    /** Bytes of header and records; a footer may follow. */
    public long position() {
        return position;
    }

    /** Adds a record; returns where it starts. */
    long append(ByteBuffer header, ByteBuffer stored) throws IOException {
        long at = position;
        bytes.write(at, header, stored);
        position = at + header.remaining() + stored.remaining();
        return at;
    }

    void commit(boolean sync) throws IOException {
        bytes.commit(sync);
        committed = position;
    }

    /** Gives up what is not committed. */
    void discard() {
        bytes.discard();
        position = committed;
    }

    void close() throws IOException {
        bytes.close();
    }

    void delete() throws IOException {
        bytes.delete();
    }

    @Override
    public String toString() {
        return name;
    }
}
