// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import io.packing.buffers.Slices;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A store of segments whose records are values of a sorted store, as the paper buffers files (§7.2): their keys ascend,
 * so that the store only appends. The packer copies such a segment into its blob.
 */
final class ValueStore {
    // Keys: 's' segment -> empty, 'x' segment to be deleted -> empty, 'v' segment, offset of the stored bytes ->
    // header length, header, stored bytes. Numbers are big-endian.
    private static final byte SEGMENT = 's';
    private static final byte DOOMED = 'x';
    private static final byte VALUE = 'v';
    private static final int SWEEP = 512;
    private static final long BATCH_BYTES = 8L << 20;

    private final SortedStore store;
    private final Deque<Long> doomed = new ArrayDeque<>();

    private ValueStore(SortedStore store) {
        this.store = store;
    }

    static ValueStore open(SortedStore store) throws IOException {
        ValueStore values = new ValueStore(store);
        values.doomed.addAll(values.numbers(DOOMED));
        return values;
    }

    List<Long> segments() throws IOException {
        return numbers(SEGMENT);
    }

    /**
     * Returns the deleted segments that may have values left, which {@link #sweep} deletes: no new segment may have
     * such a number.
     */
    List<Long> doomed() {
        synchronized (doomed) {
            return List.copyOf(doomed);
        }
    }

    private List<Long> numbers(byte kind) throws IOException {
        List<Long> numbers = new ArrayList<>();
        try (Cursor cursor = store.scan(new byte[] {kind}, new byte[] {(byte) (kind + 1)})) {
            while (cursor.next()) {
                numbers.add(ByteBuffer.wrap(cursor.key(), 1, Long.BYTES).getLong());
            }
        }
        return numbers;
    }

    SegmentBytes create(long segment) throws IOException {
        store.write(new WriteBatch().put(key(SEGMENT, segment), new byte[0]), SortedStore.Sync.NONE);
        return new Values(segment);
    }

    SegmentBytes reopen(long segment) {
        return new Values(segment);
    }

    /** Adds the records from a scan's position on to the scan. */
    void scan(long segment, SegmentScan scan) throws IOException {
        try (Cursor cursor = store.scan(value(segment, scan.end), value(segment, Long.MAX_VALUE))) {
            while (cursor.next()) {
                long storedAt = ByteBuffer.wrap(cursor.key()).getLong(1 + Long.BYTES);
                ByteBuffer value = ByteBuffer.wrap(cursor.value());
                int headerBytes = value.getInt();
                SegmentRecord record = SegmentRecord.parse(
                                Slices.of(value, value.position(), headerBytes), SegmentStart.NO_LIFE)
                        .orElseThrow(() -> new IOException(
                                "%d/%d is not a record of a file: the store is damaged".formatted(segment, storedAt)));
                scan.records.add(new SegmentScan.Found(record, storedAt - headerBytes, headerBytes));
                scan.end = storedAt + record.storedLength();
            }
        }
    }

    /** Deletes some values of deleted segments; returns true if more are left. */
    boolean sweep() throws IOException {
        Optional<Long> segment;
        synchronized (doomed) {
            segment = Optional.ofNullable(doomed.peek());
        }
        if (segment.isEmpty()) {
            return false;
        }
        WriteBatch batch = new WriteBatch();
        int count = 0;
        try (Cursor cursor = store.scan(value(segment.get(), 0), value(segment.get(), Long.MAX_VALUE))) {
            while (count < SWEEP && cursor.next()) {
                batch.delete(cursor.key());
                count++;
            }
        }
        if (count < SWEEP) {
            batch.delete(key(DOOMED, segment.get()));
        }
        store.write(batch, SortedStore.Sync.NONE);
        synchronized (doomed) {
            if (count < SWEEP) {
                doomed.remove();
            }
            return !doomed.isEmpty();
        }
    }

    private static byte[] key(byte kind, long number) {
        return ByteBuffer.allocate(1 + Long.BYTES).put(kind).putLong(number).array();
    }

    private static byte[] value(long segment, long at) {
        return ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put(VALUE)
                .putLong(segment)
                .putLong(at)
                .array();
    }

    private final class Values implements SegmentBytes {
        private final long segment;
        private WriteBatch batch = new WriteBatch();

        Values(long segment) {
            this.segment = segment;
        }

        @Override
        public void write(long at, ByteBuffer header, ByteBuffer stored) throws IOException {
            byte[] value = ByteBuffer.allocate(Integer.BYTES + header.remaining() + stored.remaining())
                    .putInt(header.remaining())
                    .put(header.duplicate())
                    .put(stored.duplicate())
                    .array();
            batch.put(value(segment, at + header.remaining()), value);
            if (batch.bytes() >= BATCH_BYTES) {
                flush(SortedStore.Sync.NONE);
            }
        }

        private void flush(SortedStore.Sync sync) throws IOException {
            WriteBatch full = batch;
            batch = new WriteBatch();
            store.write(full, sync);
        }

        @Override
        public void commit(boolean sync) throws IOException {
            flush(sync ? SortedStore.Sync.FSYNC : SortedStore.Sync.NONE);
        }

        @Override
        public void discard() {
            batch = new WriteBatch();
        }

        @Override
        public ByteBuffer read(long at, int length) throws IOException {
            byte[] found = store.get(value(segment, at))
                    .orElseThrow(() -> new NoSuchFileException("value %d/%d".formatted(segment, at)));
            ByteBuffer value = ByteBuffer.wrap(found);
            int headerBytes = value.getInt();
            return Slices.of(value, value.position() + headerBytes, length);
        }

        @Override
        public ByteBuffer readAlone(long at, int length) throws IOException {
            return read(at, length);
        }

        @Override
        public Optional<SegmentFile> file() {
            return Optional.empty();
        }

        @Override
        public void close() {
            // The store is closed with the mount.
        }

        @Override
        public void delete() throws IOException {
            // {@link #sweep} deletes the values step by step, so that no thread waits for a gigabyte of them.
            store.write(
                    new WriteBatch().delete(key(SEGMENT, segment)).put(key(DOOMED, segment), new byte[0]),
                    SortedStore.Sync.NONE);
            synchronized (doomed) {
                doomed.add(segment);
            }
        }
    }
}
