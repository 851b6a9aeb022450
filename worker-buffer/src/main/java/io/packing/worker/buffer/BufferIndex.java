// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The index of the buffer (§7.2): file id to {@link FileRow}, and for each segment a checkpoint. The index has all
 * needed records before it. The buffer writes it behind, in batches that hold rows and the checkpoints that rely on
 * them; the segments can rebuild all of it. Thread-safe.
 */
final class BufferIndex {
    // Keys: 'f' file id -> row, 'c' segment number -> checkpoint, "m" -> format and boot id. Numbers are big-endian.
    private static final byte FILE = 'f';
    private static final byte CHECKPOINT = 'c';
    private static final byte[] META = {'m'};
    private static final String FORMAT = "1 ";
    private static final int CLEAR_BATCH = 10_000;

    /** Rows from a snapshot, by ascending file id. Close it. */
    static final class Rows implements AutoCloseable {
        private final Cursor cursor;

        private Rows(Cursor cursor) {
            this.cursor = cursor;
        }

        Optional<FileRow> next() throws IOException {
            return cursor.next() ? Optional.of(FileRow.decode(number(cursor.key()), cursor.value())) : Optional.empty();
        }

        @Override
        public void close() {
            cursor.close();
        }
    }

    private static final class Changes {
        private final Map<Long, Optional<FileRow>> files = new LinkedHashMap<>();
        private final Map<Long, OptionalLong> checkpoints = new LinkedHashMap<>();

        private boolean isEmpty() {
            return files.isEmpty() && checkpoints.isEmpty();
        }

        private WriteBatch batch() {
            WriteBatch batch = new WriteBatch();
            files.forEach((id, row) -> row.ifPresentOrElse(
                    file -> batch.put(key(FILE, id), file.encode()), () -> batch.delete(key(FILE, id))));
            checkpoints.forEach((segment, at) -> at.ifPresentOrElse(
                    position -> batch.put(key(CHECKPOINT, segment), bytes(position)),
                    () -> batch.delete(key(CHECKPOINT, segment))));
            return batch;
        }
    }

    private final SortedStore store;
    private Doorbell bell = new Doorbell();
    private final Object flushing = new Object();
    private Changes pending = new Changes();
    private Changes writing = new Changes();

    BufferIndex(SortedStore store) {
        this.store = store;
    }

    /**
     * Forgets all rows of an earlier boot of the machine: unsynced rows survive a crash of the process, but not one of
     * the machine.
     */
    void trust(String bootId) throws IOException {
        byte[] meta = (FORMAT + bootId).getBytes(StandardCharsets.UTF_8);
        boolean same = !bootId.isEmpty()
                && store.get(META).map(present -> Arrays.equals(present, meta)).orElse(false);
        if (!same) {
            clear();
            store.write(new WriteBatch().put(META, meta), SortedStore.Sync.FSYNC);
        }
    }

    /** Forgets all rows; the caller has to scan the segments. */
    void clear() throws IOException {
        try (Cursor cursor = store.scan(new byte[0], new byte[0])) {
            WriteBatch batch = new WriteBatch();
            for (int count = 1; cursor.next(); count++) {
                batch.delete(cursor.key());
                if (count % CLEAR_BATCH == 0) {
                    store.write(batch, SortedStore.Sync.NONE);
                    batch = new WriteBatch();
                }
            }
            store.write(batch, SortedStore.Sync.FSYNC);
        }
    }

    Optional<FileRow> get(long fileId) throws IOException {
        synchronized (this) {
            for (Changes changes : new Changes[] {pending, writing}) {
                Optional<FileRow> changed = changes.files.getOrDefault(fileId, Optional.empty());
                if (changed.isPresent() || changes.files.containsKey(fileId)) {
                    return changed;
                }
            }
        }
        Optional<byte[]> value = store.get(key(FILE, fileId));
        return value.isEmpty() ? Optional.empty() : Optional.of(FileRow.decode(fileId, value.get()));
    }

    /** Rings this bell from now on when there is something to write, while there was nothing before. */
    synchronized void ring(Doorbell when) {
        bell = when;
    }

    synchronized void put(FileRow row) {
        if (pending.files.isEmpty()) {
            bell.ring();
        }
        pending.files.put(row.id(), Optional.of(row));
    }

    synchronized void remove(long fileId) {
        pending.files.put(fileId, Optional.empty());
    }

    /** Notes that the records of a segment before the position are known or not needed. */
    synchronized void checkpoint(long segment, long position) {
        pending.checkpoints.put(segment, OptionalLong.of(position));
    }

    /** Forgets the checkpoint of a deleted segment. */
    synchronized void removeCheckpoint(long segment) {
        pending.checkpoints.put(segment, OptionalLong.empty());
    }

    /** Returns the written checkpoints by segment number. */
    Map<Long, Long> checkpoints() throws IOException {
        Map<Long, Long> found = new LinkedHashMap<>();
        try (Cursor cursor = store.scan(new byte[] {CHECKPOINT}, new byte[] {CHECKPOINT + 1})) {
            while (cursor.next()) {
                found.put(number(cursor.key()), ByteBuffer.wrap(cursor.value()).getLong());
            }
        }
        return found;
    }

    /** Returns the flushed rows of files with {@code from <= id <= to}. */
    Rows rows(long from, long to) throws IOException {
        byte[] end = to == Long.MAX_VALUE ? new byte[] {FILE + 1} : key(FILE, to + 1);
        return new Rows(store.scan(key(FILE, from), end));
    }

    synchronized int unwritten() {
        return pending.files.size();
    }

    /** Writes the changes; those that it cannot write stay for the next time. */
    void flush() throws IOException {
        synchronized (flushing) {
            synchronized (this) {
                if (writing.isEmpty()) {
                    writing = pending;
                } else {
                    writing.files.putAll(pending.files);
                    writing.checkpoints.putAll(pending.checkpoints);
                }
                pending = new Changes();
                if (writing.isEmpty()) {
                    return;
                }
            }
            store.write(writing.batch(), SortedStore.Sync.NONE);
            synchronized (this) {
                writing = new Changes();
            }
        }
    }

    private static byte[] key(byte kind, long number) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(kind).putLong(number).array();
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
    }

    private static long number(byte[] key) {
        return ByteBuffer.wrap(key, 1, Long.BYTES).getLong();
    }
}
