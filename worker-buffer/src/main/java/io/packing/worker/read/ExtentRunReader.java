// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.blob.BlobExtent;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.RangeBeyondObjectException;
import io.packing.worker.disk.BlobPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A reader of neighbouring extents of a store's blobs, with one request for all; it leaves the cache as it is.
 * Thread-safe.
 */
final class ExtentRunReader {
    private final PageCache cache;
    private final ObjectStore store;
    private final String prefix;
    private final PageListener listener;

    ExtentRunReader(PageCache cache, ObjectStore store, String prefix, PageListener listener) {
        this.cache = cache;
        this.store = store;
        this.prefix = prefix;
        this.listener = listener;
    }

    /**
     * Reads a run straight from the store, and checks each extent.
     *
     * @return the number of bytes in the buffer, of the first extents; 0: each extent needs a read of its own
     */
    int read(List<BlobExtent> run, ByteBuffer into) throws IOException {
        if (run.size() < 2
                || cache.disk().isOn()
                || !into.hasArray()
                || run.stream().anyMatch(this::isInMemory)) {
            return 0;
        }
        ExtentRunRead request = new ExtentRunRead(run, into);
        for (int i = 0; i < request.pages(); i++) {
            listener.page(false);
        }
        try {
            if (store.get(prefix + request.blob().key(), request.offset(), request.rooms()) != request.length()) {
                return 0;
            }
        } catch (ObjectNotFoundException | RangeBeyondObjectException e) {
            // The read of one extent alone locates it again, or reports the damage.
            return 0;
        }
        return request.check();
    }

    private boolean isInMemory(BlobExtent at) {
        return cache.hasPages(
                at.blob(),
                at.extent().blobOffset() / BlobPage.BYTES,
                (at.extent().blobEnd() - 1) / BlobPage.BYTES);
    }
}
