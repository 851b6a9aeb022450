package io.packing.worker.read;

import io.packing.blob.BlobExtent;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.RangeBeyondObjectException;
import io.packing.worker.disk.BlobPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Extents of a store's blobs that lie one behind the other, with one request for all; the cache is left as it is. Thread-safe. */
final class BlobRuns {
    private final PageCache cache;
    private final ObjectStore store;
    private final String prefix;
    private final PageListener listener;

    BlobRuns(PageCache cache, ObjectStore store, String prefix, PageListener listener) {
        this.cache = cache;
        this.store = store;
        this.prefix = prefix;
        this.listener = listener;
    }

    /**
     * Gets a run straight from the store, and checks each extent of it.
     *
     * @return how many bytes are in the buffer then, of the first ones; 0: each has to be read by itself
     */
    int read(List<BlobExtent> run, ByteBuffer into) throws IOException {
        if (run.size() < 2
                || cache.disk().isOn()
                || !into.hasArray()
                || run.stream().anyMatch(this::isInMemory)) {
            return 0;
        }
        BlobRun request = new BlobRun(run, into);
        for (int i = 0; i < request.pages(); i++) {
            listener.page(false);
        }
        try {
            if (store.get(prefix + request.blob().key(), request.offset(), request.rooms()) != request.length()) {
                return 0;
            }
        } catch (ObjectNotFoundException | RangeBeyondObjectException e) {
            // A reader of one of them finds out where it is now, or that it is damaged.
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
