// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.buffers.Slices;
import io.packing.durable.DurableDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The granted versions of files, in one file beside each segment. A record cannot have its file's version, since the
 * worker writes it before the claim. The index has the version, and may be lost. By this file a worker without its
 * index can tell a master that lost its disk the newer of two versions. Thread-safe.
 */
final class SegmentGrants implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentGrants.class);

    // Records, little-endian:  0:8 id of the file  8:16 generation  16:20 CRC32C of the segment's number, big-endian,
    // and of 0:16
    private static final int RECORD_BYTES = 20;
    private static final int GENERATION_AT = 8;
    private static final int CRC_AT = 16;
    private static final String SUFFIX = ".grants";

    private final Path directory;
    private final Map<Long, GrantFile> open = new HashMap<>();
    private boolean failing;
    /** A file was opened since the names were forced last. */
    private boolean created;

    SegmentGrants(Path directory) {
        this.directory = directory;
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().endsWith(SUFFIX))
                    .toList();
        }
    }

    /** Deletes the files of segments that are gone. */
    static void retain(Path directory, Set<Long> segments) throws IOException {
        for (Path each : files(directory)) {
            String name = each.getFileName().toString();
            if (!segments.contains(Long.parseLong(name.substring(0, name.length() - SUFFIX.length())))) {
                Files.delete(each);
            }
        }
    }

    /**
     * Makes the notes of an earlier process stable. It may have been killed before it forced them, and the present process answers reads of
     * these versions.
     */
    static void forceAll(Path directory) throws IOException {
        List<Path> all = files(directory);
        for (Path each : all) {
            try (FileChannel channel = FileChannel.open(each, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
        }
        if (!all.isEmpty()) {
            DurableDirectory.sync(directory);
        }
    }

    /**
     * Reads the generations of a segment's files by their ids; of several records of a file the last one counts. Leaves
     * damaged records out.
     */
    static Map<Long, Long> read(Path directory, long segment) throws IOException {
        Map<Long, Long> generations = new HashMap<>();
        ByteBuffer all;
        try {
            all = ByteBuffer.wrap(Files.readAllBytes(path(directory, segment)));
        } catch (NoSuchFileException e) {
            return generations;
        }
        for (int at = 0; at + RECORD_BYTES <= all.limit(); at += RECORD_BYTES) {
            ByteBuffer record = Slices.of(all, at, RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            long generation = record.getLong(GENERATION_AT);
            if (generation > 0 && record.getInt(CRC_AT) == crc(segment, record)) {
                generations.put(record.getLong(0), generation);
            }
        }
        return generations;
    }

    private static Path path(Path directory, long segment) {
        return directory.resolve("%012d%s".formatted(segment, SUFFIX));
    }

    private static int crc(long segment, ByteBuffer record) {
        CRC32C crc = new CRC32C();
        crc.update(ByteBuffer.allocate(Long.BYTES).putLong(0, segment));
        crc.update(Slices.of(record, 0, CRC_AT));
        return (int) crc.getValue();
    }

    /**
     * Notes the version of a file in a segment. It survives the end of this process at once, and a loss of power after
     * {@link #force}. On a full disk it only warns: the file itself is safe, and the index has its version too.
     */
    synchronized void note(long segment, long fileId, long generation) {
        try {
            GrantFile file = open.get(segment);
            if (file == null) {
                file = new GrantFile(segment, path(directory, segment));
                open.put(segment, file);
                created = true;
            }
            file.append(fileId, generation);
            failing = false;
        } catch (IOException e) {
            // An interrupted thread closes the channel: the next note opens the file again.
            close(Optional.ofNullable(open.remove(segment)));
            if (!failing) {
                LOG.warn("{}: the version of file {} is in the index only", directory, fileId, e);
            }
            failing = true;
        }
    }

    /** Makes the notes stable. */
    void force() throws IOException {
        List<GrantFile> files;
        boolean named;
        synchronized (this) {
            files = open.values().stream().filter(file -> file.dirty).toList();
            named = created;
            created = false;
        }
        try {
            for (GrantFile file : files) {
                file.force();
            }
            if (named) {
                // A file of a new segment: its bytes are of no use without its name.
                DurableDirectory.sync(directory);
            }
        } catch (IOException e) {
            synchronized (this) {
                // The next call tries again.
                created |= named;
            }
            throw e;
        }
    }

    /** Deletes the notes of a deleted segment. */
    synchronized void delete(long segment) throws IOException {
        close(Optional.ofNullable(open.remove(segment)));
        Files.deleteIfExists(path(directory, segment));
    }

    private static void close(Optional<GrantFile> file) {
        try {
            if (file.isPresent()) {
                file.get().channel.close();
            }
        } catch (IOException e) {
            LOG.warn("a file of granted versions could not be closed", e);
        }
    }

    @Override
    public synchronized void close() {
        open.values().forEach(file -> close(Optional.of(file)));
        open.clear();
    }

    /** The file of one segment. */
    private static final class GrantFile {
        private final long segment;
        private final FileChannel channel;
        private final ByteBuffer record =
                ByteBuffer.allocateDirect(RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        private long end;
        private volatile boolean dirty;

        /** Opens the file at the end of its last whole record, or creates it. */
        GrantFile(long segment, Path path) throws IOException {
            this.segment = segment;
            this.channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            this.end = channel.size() / RECORD_BYTES * RECORD_BYTES;
        }

        void append(long fileId, long generation) throws IOException {
            record.clear();
            record.putLong(fileId).putLong(generation);
            record.putInt(crc(segment, record)).flip();
            long at = end;
            while (record.hasRemaining()) {
                at += channel.write(record, at);
            }
            end = at;
            dirty = true;
        }

        void force() throws IOException {
            dirty = false;
            try {
                channel.force(false);
            } catch (ClosedChannelException e) {
                LOG.debug("segment {} is gone", segment, e);
            }
        }
    }
}
