// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import io.packing.durable.DurableDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.fusesource.leveldbjni.JniDBFactory;
import org.iq80.leveldb.CompressionType;
import org.iq80.leveldb.DB;
import org.iq80.leveldb.DBException;
import org.iq80.leveldb.DBIterator;
import org.iq80.leveldb.Options;
import org.iq80.leveldb.ReadOptions;
import org.iq80.leveldb.Snapshot;
import org.iq80.leveldb.WriteOptions;
import org.jspecify.annotations.Nullable;

/** LevelDB through JNI. */
final class LevelDbEngine implements StoreEngine {
    private static final int MAX_OPEN_FILES = 2_000;

    private final Path directory;
    private final DB db;
    private final AtomicBoolean unsynced = new AtomicBoolean();

    private LevelDbEngine(Path directory, DB db) {
        this.directory = directory;
        this.db = db;
    }

    /** @param restarted true if the machine was restarted since the last use of the store */
    static LevelDbEngine open(Path directory, SortedStoreOptions config, boolean restarted) throws IOException {
        WriteAheadLog.mend(directory, restarted);
        Options options = new Options()
                .createIfMissing(true)
                .paranoidChecks(true)
                .compressionType(CompressionType.SNAPPY)
                .cacheSize(config.cacheBytes())
                .writeBufferSize(config.writeBufferBytes())
                .maxOpenFiles(MAX_OPEN_FILES);
        try {
            DB db = JniDBFactory.factory.open(directory.toFile(), options);
            try {
                DurableDirectory.sync(directory);
            } catch (IOException e) {
                db.close();
                throw e;
            }
            return new LevelDbEngine(directory, db);
        } catch (IOException | DBException e) {
            throw failure(directory, e);
        }
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws IOException {
        try {
            return db.get(key);
        } catch (DBException e) {
            throw failure(directory, e);
        }
    }

    @Override
    public void write(WriteBatch batch, boolean fsync) throws IOException {
        try (org.iq80.leveldb.WriteBatch updates = db.createWriteBatch()) {
            batch.forEach(new WriteBatch.Visitor() {
                @Override
                public void put(byte[] key, byte[] value) {
                    updates.put(key, value);
                }

                @Override
                public void delete(byte[] key) {
                    updates.delete(key);
                }
            });
            db.write(updates, new WriteOptions().sync(fsync));
            if (!fsync) {
                unsynced.set(true);
            } else if (unsynced.getAndSet(false)) {
                // LevelDB syncs only its newest log, and earlier writes may be in the one before.
                WriteAheadLog.force(directory);
            }
        } catch (DBException e) {
            throw failure(directory, e);
        }
    }

    @Override
    public Cursor scan(byte[] from, byte[] to) throws IOException {
        Snapshot snapshot = db.getSnapshot();
        return scan(from, to, new ReadOptions().snapshot(snapshot).fillCache(false), snapshot);
    }

    @Override
    public Cursor scanFew(byte[] from, byte[] to) throws IOException {
        // An iterator has a moment of its own.
        return scan(from, to, new ReadOptions(), () -> {});
    }

    @Override
    public View view() {
        return new LevelDbView(db.getSnapshot());
    }

    /** @param end closed with the cursor */
    private Cursor scan(byte[] from, byte[] to, ReadOptions options, Closeable end) throws IOException {
        DBIterator iterator = db.iterator(options.verifyChecksums(true));
        LevelDbCursor cursor = new LevelDbCursor(directory, iterator, end, to);
        try {
            iterator.seek(from);
            return cursor;
        } catch (RuntimeException e) {
            // The binding wraps the failure in the iterator's status; both native objects would outlive the store.
            cursor.close();
            throw failure(directory, e);
        }
    }

    /**
     * Returns when the background thread of all stores of the process stands still. A write, a close or a second
     * suspension meanwhile may hang: {@link DiskWatch} prevents them.
     */
    void suspend() throws InterruptedException {
        db.suspendCompactions();
    }

    void resume() {
        db.resumeCompactions();
    }

    @Override
    public void close() throws IOException {
        db.close();
    }

    private static IOException failure(Path directory, Exception e) {
        return new IOException(
                "%s: LevelDB failed: %s; if the files are damaged, restore or remove the directory"
                        .formatted(directory, e.getMessage()),
                e);
    }

    private final class LevelDbView implements View {
        private final Snapshot snapshot;
        private final ReadOptions options;

        LevelDbView(Snapshot snapshot) {
            this.snapshot = snapshot;
            this.options = new ReadOptions().snapshot(snapshot);
        }

        @Override
        public byte @Nullable [] get(byte[] key) throws IOException {
            try {
                return db.get(key, options);
            } catch (DBException e) {
                throw failure(directory, e);
            }
        }

        @Override
        public Cursor scan(byte[] from, byte[] to) throws IOException {
            return LevelDbEngine.this.scan(
                    from, to, new ReadOptions().snapshot(snapshot).fillCache(false), () -> {});
        }

        @Override
        public Cursor scanFew(byte[] from, byte[] to) throws IOException {
            return LevelDbEngine.this.scan(from, to, new ReadOptions().snapshot(snapshot), () -> {});
        }

        @Override
        public void close() {
            try {
                snapshot.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class LevelDbCursor implements Cursor {
        private final Path directory;
        private final DBIterator iterator;
        private final Closeable end;
        private final byte[] to;
        private byte[] key = new byte[0];
        private byte[] value = new byte[0];
        private long entries;
        private boolean ended;

        LevelDbCursor(Path directory, DBIterator iterator, Closeable end, byte[] to) {
            this.directory = directory;
            this.iterator = iterator;
            this.end = end;
            this.to = to;
        }

        @Override
        public boolean next() {
            if (ended) {
                return false;
            }
            try {
                return step();
            } catch (RuntimeException e) {
                ended = true;
                throw new UncheckedIOException(failure(directory, e));
            }
        }

        /**
         * Moves to the next entry, if there is one. The iterator stays at the first one until a second is wanted: behind it may be many removed
         * entries, which it has to pass one by one, and many scans want one entry or find none. It also ends at a damaged block, so the
         * binding asks for its status with each step.
         */
        private boolean step() {
            if (entries == 1) {
                Map.Entry<byte[], byte[]> unused = iterator.next();
            }
            ended = !iterator.hasNext();
            if (!ended) {
                Map.Entry<byte[], byte[]> entry = entries == 0 ? iterator.peekNext() : iterator.next();
                entries++;
                key = entry.getKey();
                value = entry.getValue();
                ended = to.length != 0 && Arrays.compareUnsigned(key, to) >= 0;
            }
            return !ended;
        }

        @Override
        public byte[] key() {
            return key;
        }

        @Override
        public byte[] value() {
            return value;
        }

        @Override
        public void close() {
            try (end) {
                iterator.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
