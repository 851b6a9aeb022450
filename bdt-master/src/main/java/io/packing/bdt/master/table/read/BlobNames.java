// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.packing.bdt.master.table.row.Rows;
import io.packing.blob.BlobName;
import java.io.IOException;

/**
 * The names of blobs of recently located files, so that a file's place costs one store read and not two. No invalidation is
 * needed: a number is given to one blob only, and a blob keeps its name. The rows are those that the store has: a mutation
 * may be taken back, and the number that it gave is given again. Thread-safe.
 */
public final class BlobNames implements BlobNaming {
    /** A name has about 200 bytes: 2 MB. */
    private static final int MOST = 10_000;

    private final Rows written;
    private final Cache<Long, BlobName> cache =
            Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();

    /** @param written the rows of the store, without those of mutations that are under way */
    public BlobNames(Rows written) {
        this.written = written;
    }

    @Override
    public BlobName name(long number) throws IOException {
        BlobName cached = cache.getIfPresent(number);
        if (cached != null) {
            return cached;
        }
        BlobName read = Placements.blob(written, number).name();
        cache.put(number, read);
        return read;
    }
}
