package io.packing.sorted;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.IndexType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteOptions;

/**
 * RocksDB. The index is two-level and the filters are partitioned: monolithic ones do not fit a small cache, and every
 * read would load them again.
 */
final class RocksDbEngine implements StoreEngine {
    private static final double BLOOM_BITS_PER_KEY = 10;
    /** The start of a record. It tells RocksDB that the log lost its end, so that a later log is read only if nothing is missing. */
    private static final byte TORN = 1;

    private final Path directory;
    private final RocksDB db;
    private final RocksObject[] owned;
    private final WriteOptions noSync = new WriteOptions();
    private final WriteOptions fsync = new WriteOptions().setSync(true);

    private RocksDbEngine(Path directory, RocksDB db, RocksObject... owned) {
        this.directory = directory;
        this.db = db;
        this.owned = owned;
    }

    /** @param restarted whether the machine was started again since the store was used last */
    static RocksDbEngine open(Path directory, SortedStoreConfig config, boolean restarted) throws IOException {
        WriteAheadLog.mend(directory, restarted, TORN);
        RocksDB.loadLibrary();
        Files.createDirectories(directory);
        Cache cache = new LRUCache(Math.max(config.cacheBytes(), 1 << 20));
        BloomFilter filter = new BloomFilter(BLOOM_BITS_PER_KEY);
        Options options = new Options()
                .setCreateIfMissing(true)
                .setWriteBufferSize(config.writeBufferBytes())
                .setMaxWriteBufferNumber(2)
                .setMaxBackgroundJobs(2)
                .setBytesPerSync(1 << 20)
                .setCompressionType(CompressionType.SNAPPY_COMPRESSION)
                .setLevelCompactionDynamicLevelBytes(true)
                .setKeepLogFileNum(2)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setFilterPolicy(filter)
                        .setIndexType(IndexType.kTwoLevelIndexSearch)
                        .setPartitionFilters(true)
                        .setCacheIndexAndFilterBlocks(true)
                        .setPinTopLevelIndexAndFilter(true));
        try {
            return new RocksDbEngine(directory, RocksDB.open(options, directory.toString()), options, filter, cache);
        } catch (RocksDBException e) {
            options.close();
            filter.close();
            cache.close();
            throw failure(directory, e);
        }
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws IOException {
        try {
            return db.get(key);
        } catch (RocksDBException e) {
            throw failure(directory, e);
        }
    }

    @Override
    public void write(WriteBatch batch, boolean sync) throws IOException {
        try (org.rocksdb.WriteBatch updates = new org.rocksdb.WriteBatch()) {
            batch.forEach(new WriteBatch.Visitor() {
                @Override
                public void put(byte[] key, byte[] value) {
                    try {
                        updates.put(key, value);
                    } catch (RocksDBException e) {
                        throw new IllegalStateException(e);
                    }
                }

                @Override
                public void delete(byte[] key) {
                    try {
                        updates.delete(key);
                    } catch (RocksDBException e) {
                        throw new IllegalStateException(e);
                    }
                }
            });
            db.write(sync ? fsync : noSync, updates);
        } catch (RocksDBException e) {
            throw failure(directory, e);
        }
    }

    @Override
    public Cursor scan(byte[] from, byte[] to) {
        Snapshot snapshot = db.getSnapshot();
        return new RocksDbCursor(from, to, snapshot, () -> release(snapshot));
    }

    @Override
    public View view() {
        return new RocksDbView();
    }

    private void release(Snapshot snapshot) {
        db.releaseSnapshot(snapshot);
        snapshot.close();
    }

    @Override
    public void close() throws IOException {
        try {
            db.closeE();
        } catch (RocksDBException e) {
            throw failure(directory, e);
        } finally {
            noSync.close();
            fsync.close();
            for (RocksObject object : owned) {
                object.close();
            }
        }
    }

    private static IOException failure(Path directory, Exception e) {
        return new IOException(
                "%s: RocksDB failed: %s; if the files are damaged, restore or remove the directory"
                        .formatted(directory, e.getMessage()),
                e);
    }

    private final class RocksDbView implements View {
        private final Snapshot snapshot = db.getSnapshot();
        private final ReadOptions options = new ReadOptions().setSnapshot(snapshot);

        @Override
        public byte @Nullable [] get(byte[] key) throws IOException {
            try {
                return db.get(options, key);
            } catch (RocksDBException e) {
                throw failure(directory, e);
            }
        }

        @Override
        public Cursor scan(byte[] from, byte[] to) {
            return new RocksDbCursor(from, to, snapshot, () -> {});
        }

        @Override
        public void close() {
            options.close();
            release(snapshot);
        }
    }

    private final class RocksDbCursor implements Cursor {
        private final Runnable end;
        private final Slice bound;
        private final ReadOptions options;
        private final RocksIterator iterator;
        private boolean started;
        private boolean ended;

        /** @param end run with the close of the cursor */
        RocksDbCursor(byte[] from, byte[] to, Snapshot snapshot, Runnable end) {
            this.end = end;
            bound = new Slice(to);
            options = new ReadOptions().setSnapshot(snapshot).setFillCache(false);
            if (to.length > 0) {
                options.setIterateUpperBound(bound);
            }
            iterator = db.newIterator(options);
            iterator.seek(from);
        }

        @Override
        public boolean next() {
            // Stepping an invalid iterator is undefined behaviour in the native code.
            if (ended) {
                return false;
            }
            if (started) {
                iterator.next();
            }
            started = true;
            ended = !iterator.isValid();
            if (ended) {
                checkStatus();
            }
            return !ended;
        }

        /** An iterator also ends at a damaged block: without this check a scan would silently lack entries. */
        private void checkStatus() {
            try {
                iterator.status();
            } catch (RocksDBException e) {
                throw new UncheckedIOException(failure(directory, e));
            }
        }

        @Override
        public byte[] key() {
            return iterator.key();
        }

        @Override
        public byte[] value() {
            return iterator.value();
        }

        @Override
        public void close() {
            iterator.close();
            options.close();
            bound.close();
            end.run();
        }
    }
}
