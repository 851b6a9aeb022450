package io.packing.worker.buffer;

import io.packing.blob.BlobHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.Set;

/** An append-only file of records that starts with a blob header. Its state is guarded by the {@link FileBuffer}. */
public final class Segment {
    private final Path path;
    private final FileChannel channel;
    private final boolean dedicated;
    private final long openedNanos;
    private long position;

    /** Files that have bytes here and are still needed. */
    final Set<BufferedFile> files = new LinkedHashSet<>();

    /** Files whose fate is not known yet; such a segment is not packed. */
    int pending;

    boolean rolled;
    boolean sealing;
    boolean sealed;

    private Segment(Path path, FileChannel channel, boolean dedicated, long openedNanos, long position) {
        this.path = path;
        this.channel = channel;
        this.dedicated = dedicated;
        this.openedNanos = openedNanos;
        this.position = position;
    }

    static Segment create(Path path, boolean dedicated, long nowNanos) throws IOException {
        FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Segment segment = new Segment(path, channel, dedicated, nowNanos, 0);
        segment.append(BlobHeader.bytes());
        return segment;
    }

    /** Opens a segment of an earlier process, without what follows its last whole record. */
    static Segment reopen(Path path, boolean dedicated, long nowNanos, long length) throws IOException {
        FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        channel.truncate(length);
        Segment segment = new Segment(path, channel, dedicated, nowNanos, length);
        segment.rolled = true;
        return segment;
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
