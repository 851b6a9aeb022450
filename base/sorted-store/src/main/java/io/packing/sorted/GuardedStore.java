// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import io.packing.durable.DirectoryLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;

/**
 * The guard around every engine. A call into a closed native store crashes the JVM, so users hold a read lock and close
 * takes the write lock. The close of the store closes open cursors and views.
 */
final class GuardedStore implements SortedStore {
    private final Path directory;
    private final StoreEngine engine;
    private final DiskGuard guard;
    private final DirectoryLock lock;
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();
    private final Set<GuardedCursor> cursors = new HashSet<>();
    private final Set<GuardedView> views = new HashSet<>();
    private boolean closed;

    GuardedStore(Path directory, StoreEngine engine, DiskGuard guard, DirectoryLock lock) {
        this.directory = directory;
        this.engine = engine;
        this.guard = guard;
        this.lock = lock;
    }

    @Override
    public Optional<byte[]> get(byte[] key) throws IOException {
        return get(engine, key);
    }

    private Optional<byte[]> get(StoreReads from, byte[] key) throws IOException {
        use.readLock().lock();
        try {
            checkOpen();
            return Optional.ofNullable(from.get(key));
        } finally {
            use.readLock().unlock();
        }
    }

    @Override
    public void write(WriteBatch batch, Sync sync) throws IOException {
        use.readLock().lock();
        try {
            checkOpen();
            if (batch.isEmpty() && sync == Sync.NONE) {
                return;
            }
            guard.admit(batch.bytes());
            engine.write(batch, sync == Sync.FSYNC);
        } finally {
            use.readLock().unlock();
        }
    }

    @Override
    public Cursor scan(byte[] from, byte[] to) throws IOException {
        return scan(engine, from, to);
    }

    private Cursor scan(StoreReads entries, byte[] from, byte[] to) throws IOException {
        use.readLock().lock();
        try {
            checkOpen();
            GuardedCursor cursor = new GuardedCursor(entries.scan(from, to));
            synchronized (cursors) {
                cursors.add(cursor);
            }
            return cursor;
        } finally {
            use.readLock().unlock();
        }
    }

    @Override
    public Optional<Map.Entry<byte[], byte[]>> first(byte[] from, byte[] to) throws IOException {
        return first(engine, from, to);
    }

    private Optional<Map.Entry<byte[], byte[]>> first(StoreReads entries, byte[] from, byte[] to) throws IOException {
        use.readLock().lock();
        try {
            checkOpen();
            // No other thread sees the cursor, so a close of the store waits for it by the lock.
            try (Cursor cursor = entries.scanFew(from, to)) {
                return cursor.next() ? Optional.of(Map.entry(cursor.key(), cursor.value())) : Optional.empty();
            }
        } finally {
            use.readLock().unlock();
        }
    }

    @Override
    public SortedView view() throws IOException {
        use.readLock().lock();
        try {
            checkOpen();
            GuardedView view = new GuardedView(engine.view());
            synchronized (views) {
                views.add(view);
            }
            return view;
        } finally {
            use.readLock().unlock();
        }
    }

    @Override
    public long keptFreeBytes() {
        return Math.max(0, guard.keptFreeBytes() - guard.reserve().heldBytes());
    }

    @Override
    public long sizeOnDisk() throws IOException {
        List<Path> files;
        try (Stream<Path> walk = Files.walk(directory)) {
            files = walk.filter(file -> !file.endsWith(SortedStores.RESERVE_FILE))
                    .toList();
        }
        long total = 0;
        for (Path file : files) {
            try {
                total += Files.isRegularFile(file) ? Files.size(file) : 0;
            } catch (NoSuchFileException e) {
                // A compaction removed it meanwhile.
            }
        }
        return total;
    }

    @Override
    public void close() throws IOException {
        use.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            synchronized (cursors) {
                cursors.forEach(cursor -> cursor.inner.close());
                cursors.clear();
            }
            synchronized (views) {
                views.forEach(view -> view.inner.close());
                views.clear();
            }
            engine.close();
        } finally {
            use.writeLock().unlock();
            lock.close();
        }
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("store %s is closed".formatted(directory));
        }
    }

    private final class GuardedView implements SortedView {
        private final StoreEngine.View inner;
        private boolean over;

        GuardedView(StoreEngine.View inner) {
            this.inner = inner;
        }

        @Override
        public Optional<byte[]> get(byte[] key) throws IOException {
            checkViewed();
            return GuardedStore.this.get(inner, key);
        }

        @Override
        public Cursor scan(byte[] from, byte[] to) throws IOException {
            checkViewed();
            return GuardedStore.this.scan(inner, from, to);
        }

        @Override
        public Optional<Map.Entry<byte[], byte[]>> first(byte[] from, byte[] to) throws IOException {
            checkViewed();
            return GuardedStore.this.first(inner, from, to);
        }

        @Override
        public void close() {
            use.readLock().lock();
            try {
                boolean mine;
                synchronized (views) {
                    mine = views.remove(this);
                }
                if (mine) {
                    over = true;
                    inner.close();
                }
            } finally {
                use.readLock().unlock();
            }
        }

        /** Refuses a released snapshot, which the native code does not have any more. */
        private void checkViewed() {
            if (over) {
                throw new IllegalStateException("the view of store %s is closed".formatted(directory));
            }
        }
    }

    private final class GuardedCursor implements Cursor {
        private final Cursor inner;

        GuardedCursor(Cursor inner) {
            this.inner = inner;
        }

        @Override
        public boolean next() {
            use.readLock().lock();
            try {
                checkOpen();
                return inner.next();
            } finally {
                use.readLock().unlock();
            }
        }

        @Override
        public byte[] key() {
            use.readLock().lock();
            try {
                checkOpen();
                return inner.key();
            } finally {
                use.readLock().unlock();
            }
        }

        @Override
        public byte[] value() {
            use.readLock().lock();
            try {
                checkOpen();
                return inner.value();
            } finally {
                use.readLock().unlock();
            }
        }

        @Override
        public void close() {
            use.readLock().lock();
            try {
                boolean mine;
                synchronized (cursors) {
                    mine = cursors.remove(this);
                }
                if (mine) {
                    inner.close();
                }
            } finally {
                use.readLock().unlock();
            }
        }
    }
}
