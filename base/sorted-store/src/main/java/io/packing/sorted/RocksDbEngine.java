// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import io.packing.durable.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
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
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.WriteOptions;

/**
 * The engine RocksDB. Its index has two levels and its filters are partitioned: monolithic ones do not fit a small
 * cache, and every read would load them again.
 */
final class RocksDbEngine implements StoreEngine {
    private static final double BLOOM_BITS_PER_KEY = 10;
    /**
     * The start of a record. It tells RocksDB that the log lost its end, so that RocksDB reads a later log only if no
     * record before it is missing.
     */
    private static final byte TORN = 1;

    private final Path directory;
    private final RocksDB db;
    private final DiskGuard guard;
    private final RocksDbStalls stalls;
    private final AbstractNativeReference[] owned;
    private final WriteOptions noSync = new WriteOptions().setNoSlowdown(true);
    private final WriteOptions fsync = new WriteOptions().setNoSlowdown(true).setSync(true);

    private RocksDbEngine(
            Path directory, RocksDB db, DiskGuard guard, RocksDbStalls stalls, AbstractNativeReference... owned) {
        this.directory = directory;
        this.db = db;
        this.guard = guard;
        this.stalls = stalls;
        this.owned = owned;
    }

    /** @param restarted true if the machine was restarted since the last use of the store */
    static RocksDbEngine open(Path directory, SortedStoreOptions config, DiskGuard guard, boolean restarted)
            throws IOException {
        WriteAheadLog.mend(directory, restarted, TORN);
        RocksDB.loadLibrary();
        Path unused = OwnerOnly.directory(directory);
        Cache cache = new LRUCache(Math.max(config.cacheBytes(), 1 << 20));
        BloomFilter filter = new BloomFilter(BLOOM_BITS_PER_KEY);
        RocksDbStalls stalls = new RocksDbStalls();
        Options options = new Options()
                .setListeners(List.of(stalls))
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
            RocksDB db = RocksDB.open(options, directory.toString());
            return new RocksDbEngine(directory, db, guard, stalls, options, stalls, filter, cache);
        } catch (RocksDBException e) {
            options.close();
            stalls.close();
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
            write(updates, batch.bytes(), sync ? fsync : noSync);
        } catch (RocksDBException e) {
            throw failure(directory, e);
        }
    }

    /**
     * Writes a batch. RocksDB refuses a write that would wait for the background work, and this tries it again.
     * Background work on a full disk waits for space, so each try asks for the disk's space as well.
     */
    private void write(org.rocksdb.WriteBatch updates, long bytes, WriteOptions how)
            throws RocksDBException, IOException {
        while (true) {
            CompletableFuture<Boolean> change = stalls.nextChange();
            try {
                db.write(how, updates);
                return;
            } catch (RocksDBException e) {
                if (!isStall(e)) {
                    throw e;
                }
            }
            guard.admit(bytes);
            RocksDbStalls.await(change);
        }
    }

    private static boolean isStall(RocksDBException e) {
        Status status = e.getStatus();
        return status != null && status.getCode() == Status.Code.Incomplete;
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
            for (AbstractNativeReference object : owned) {
                object.close();
            }
        }
    }

    private static IOException failure(Path directory, Exception e) {
        String advice = DiskFullException.isCauseOf(e)
                ? "free some space, and try again some seconds later"
                : "if the files are damaged, restore or remove the directory";
        return new IOException("%s: RocksDB failed: %s; %s".formatted(directory, e.getMessage(), advice), e);
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

        /** @param end runs with the close of the cursor */
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
            // A step of an invalid iterator is undefined behaviour in the native code.
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

        /** Checks the status: an iterator also ends at a damaged block, and a scan would silently lack entries. */
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
