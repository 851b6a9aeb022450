// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.WriteSet;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * The inodes of recently used directories, so that a path costs one store read and not one for each component.
 *
 * <p>Invalidation follows the write to the store, and waits for a concurrent load of the same key: the cache never keeps an
 * outdated inode. Thread-safe.
 */
public final class DirectoryCache implements DirectoryLookup {
    /** The memory of an entry with a name of usual length; a name may have 65,535 bytes. */
    private static final int USUAL_BYTES = 256;

    private static final int BYTES_WITHOUT_NAME = 200;

    private record Key(long parent, String name) {
        int bytes() {
            return BYTES_WITHOUT_NAME + 2 * name.length();
        }
    }

    private final SortedStore store;
    private final Cache<Key, Inode> cache;

    /** @param maxEntries of usual names; of long ones there are fewer */
    public DirectoryCache(SortedStore store, long maxEntries) {
        this.store = store;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(maxEntries * USUAL_BYTES)
                .weigher((Key key, Inode inode) -> key.bytes() + inode.extras().bytes())
                .executor(Runnable::run)
                .build();
    }

    @Override
    public Optional<Inode> entry(long parent, String name) throws IOException {
        Key key = new Key(parent, name);
        Inode cached = cache.getIfPresent(key);
        if (cached != null) {
            return Optional.of(cached);
        }
        byte[][] file = new byte[1][];
        try {
            Inode loaded = cache.get(key, missing -> {
                Optional<byte[]> row = load(missing);
                Optional<Inode> inode = row.map(Inode::decode);
                if (inode.isPresent() && !inode.get().isDirectory()) {
                    file[0] = row.get();
                    return null;
                }
                return inode.orElse(null);
            });
            return file[0] != null ? Optional.of(Inode.decode(file[0])) : Optional.ofNullable(loaded);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Returns a lookup that has the changes of mutations, and asks the cache for the rest. */
    public DirectoryLookup below(WriteSet writes) {
        return (parent, name) -> {
            Optional<Optional<byte[]>> own = writes.own(Keys.entry(parent, name));
            return own.isPresent() ? own.get().map(Inode::decode) : entry(parent, name);
        };
    }

    /** Returns the number of directories that it holds. */
    long entries() {
        cache.cleanUp();
        return cache.estimatedSize();
    }

    public void invalidate(byte[] entryKey) {
        cache.invalidate(new Key(Keys.number(entryKey), Keys.entryName(entryKey)));
    }

    private Optional<byte[]> load(Key key) {
        try {
            return store.get(Keys.entry(key.parent(), key.name()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
