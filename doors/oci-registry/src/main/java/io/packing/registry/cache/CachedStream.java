// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.cache;

import io.packing.registry.files.BulkInputStream;
import io.packing.registry.store.BlobContent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;

/**
 * The bytes of a layer on its way into the cache, as they come. When the rest does not come, the stream goes on from the store.
 * Confined to one thread.
 */
final class CachedStream extends BulkInputStream {
    private final LayerDownload filling;
    private final BlobContent stored;
    private final FileChannel file;
    private Optional<InputStream> rest = Optional.empty();
    private long position;

    CachedStream(LayerDownload filling, BlobContent stored, long position) throws IOException {
        this.filling = filling;
        this.stored = stored;
        this.position = position;
        this.file = FileChannel.open(filling.part(), StandardOpenOption.READ);
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        Objects.checkFromIndexSize(offset, count, into.length);
        if (count == 0) {
            return 0;
        }
        if (position >= stored.length()) {
            return -1;
        }
        int n = -1;
        if (rest.isEmpty()) {
            long end = filling.awaitMore(position);
            if (end > position) {
                n = file.read(ByteBuffer.wrap(into, offset, (int) Math.min(count, end - position)), position);
            }
            if (n <= 0) {
                rest = Optional.of(stored.open(position));
            }
        }
        if (rest.isPresent()) {
            n = rest.get().read(into, offset, count);
        }
        position += Math.max(0, n);
        return n;
    }

    @Override
    public void close() throws IOException {
        try (file) {
            if (rest.isPresent()) {
                rest.get().close();
            }
        }
    }
}
