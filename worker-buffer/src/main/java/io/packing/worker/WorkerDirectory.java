// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import io.packing.durable.DirectoryLock;
import io.packing.durable.DurableDirectory;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStoreOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The buffer directory of a worker, locked for this process: its owner, the worker-local BDT, and a folder for each
 * mount.
 */
final class WorkerDirectory implements AutoCloseable {
    private static final SortedStoreOptions LOCAL_BDT =
            new SortedStoreOptions(SortedStoreOptions.Engine.LEVELDB, 16L << 20, 4 << 20, 32L << 20);

    private static final String LOCK = "LOCK";

    private final Path home;
    private final DirectoryLock lock;
    private final String token;
    private final SortedStore localBdt;

    private WorkerDirectory(Path home, DirectoryLock lock, String token, SortedStore localBdt) {
        this.home = home;
        this.lock = lock;
        this.token = token;
        this.localBdt = localBdt;
    }

    /**
     * Locks the directory and opens the worker-local BDT in it.
     *
     * @throws IOException when the directory is in use, another worker's, read-only or full
     */
    static WorkerDirectory lock(WorkerOptions config, WorkerPlatform platform) throws IOException {
        Path home = config.bufferDirectory();
        try {
            DurableDirectory.create(home);
        } catch (IOException e) {
            throw new IOException(
                    "buffer directory %s cannot be created: check its parent's permissions".formatted(home), e);
        }
        DirectoryLock lock = DirectoryLock.acquire(home, LOCK);
        try {
            BufferOwner owner = BufferOwner.of(home, config.worker());
            String token = owner.token(platform.places().of(home.resolve(LOCK)));
            return new WorkerDirectory(home, lock, token, platform.tables().open(home.resolve("local-bdt"), LOCAL_BDT));
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /**
     * Returns a token that no other directory and no copy of this one has: only one process has locked the file at this
     * place.
     */
    String token() {
        return token;
    }

    /** Returns the store of the worker-local BDT, and of the clock that names blobs. */
    SortedStore localBdt() {
        return localBdt;
    }

    /** Returns the folder of a mount's buffer; makes it if it is missing. */
    Path mount(MountOptions options) throws IOException {
        Path base = options.buffer().directory().isEmpty()
                ? home
                : Path.of(options.buffer().directory());
        return DurableDirectory.create(base.resolve("mount-" + options.mountName()));
    }

    @Override
    public void close() throws IOException {
        localBdt.close();
        lock.close();
    }
}
