// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/** A LevelDB whose background work can be suspended. */
final class WatchedLevelDb implements StoreEngine, DiskWatch.Member {
    private final LevelDbEngine engine;
    private final DiskGuard guard;
    private final DiskWatch watch;
    /** The lock that writes hold, and that {@link #awaitWrites} takes for a moment. */
    private final ReentrantReadWriteLock writing = new ReentrantReadWriteLock();

    private WatchedLevelDb(LevelDbEngine engine, DiskGuard guard, DiskWatch watch) {
        this.engine = engine;
        this.guard = guard;
        this.watch = watch;
    }

    static WatchedLevelDb watch(LevelDbEngine engine, DiskGuard guard, DiskWatch watch) {
        WatchedLevelDb watched = new WatchedLevelDb(engine, guard, watch);
        watch.join(watched);
        return watched;
    }

    @Override
    public byte @Nullable [] get(byte[] key) throws IOException {
        return engine.get(key);
    }

    @Override
    public void write(WriteBatch batch, boolean fsync) throws IOException {
        writing.readLock().lock();
        try {
            watch.checkWrite();
            engine.write(batch, fsync);
        } finally {
            writing.readLock().unlock();
        }
    }

    @Override
    public Cursor scan(byte[] from, byte[] to) throws IOException {
        return engine.scan(from, to);
    }

    @Override
    public Cursor scanFew(byte[] from, byte[] to) throws IOException {
        return engine.scanFew(from, to);
    }

    @Override
    public View view() {
        return engine.view();
    }

    @Override
    public void close() throws IOException {
        watch.leave(this, engine::close);
    }

    @Override
    public DiskGuard guard() {
        return guard;
    }

    @Override
    public void awaitWrites() {
        writing.writeLock().lock();
        try {
            // Later writes are refused.
        } finally {
            writing.writeLock().unlock();
        }
    }

    @Override
    public void suspend() throws InterruptedException {
        engine.suspend();
    }

    @Override
    public void resume() {
        engine.resume();
    }
}
