// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import com.google.common.hash.Hashing;
import io.packing.blob.BlobName;
import io.packing.encryption.Keystore;
import io.packing.store.ObjectStore;
import io.packing.store.StoreOptions;
import io.packing.worker.api.EncryptionOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.disk.DiskTier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The caches of a process, one for each store, keystore and set of limits. All its mounts of a store fetch a page once
 * and hold it once, for all doors. Mounts with other credentials have caches of their own. Thread-safe.
 */
public final class ReadCaches {
    private static final int NAME_DIGITS = 16;

    private record Key(
            StoreOptions store, EncryptionOptions encryption, long memoryBytes, long diskBytes, String diskDirectory) {
        static Key of(MountOptions options) {
            return new Key(
                    options.store(),
                    options.encryption(),
                    options.read().cacheBytes(),
                    options.read().diskBytes(),
                    options.read().diskDirectory());
        }
    }

    private static final class Shared {
        final PageCache cache;
        int users;

        Shared(PageCache cache) {
            this.cache = cache;
        }
    }

    private final Map<Key, Shared> caches = new HashMap<>();

    /**
     * Returns a mount's view of its store's cache. The caller closes it; the last close also closes the cache.
     *
     * @param store from which the mount fetches
     */
    public synchronized BlobPages open(MountOptions options, ObjectStore store, PageListener listener)
            throws IOException {
        Key key = Key.of(options);
        Shared there = caches.get(key);
        Shared shared = there == null ? new Shared(cache(options)) : there;
        caches.put(key, shared);
        shared.users++;
        return new BlobPages(
                shared.cache, store, BlobName.FOLDER, options.read().windowMaxBytes(), listener, () -> release(key));
    }

    private static PageCache cache(MountOptions options) throws IOException {
        Keystore keystore = options.encryption().open();
        DiskTier disk = options.read().diskBytes() == 0
                ? DiskTier.NONE
                : DiskTier.start(
                        Path.of(options.read().diskDirectory()).resolve(folder(options.store())),
                        options.read().diskBytes());
        return new PageCache(options.read().cacheBytes(), disk, keystore);
    }

    /** Returns a folder name for a store's pages, which its location and endpoint determine. */
    private static String folder(StoreOptions store) {
        String text = store.endpoint() + " " + store.location().text();
        String hash = Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString();
        return "pages-" + hash.substring(0, NAME_DIGITS);
    }

    private synchronized void release(Key key) {
        Shared shared = caches.get(key);
        if (shared != null && --shared.users == 0) {
            caches.remove(key);
            // Close it before another mount can open it again: its directory is locked until then.
            shared.cache.close();
        }
    }
}
