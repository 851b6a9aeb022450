// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.placement.StoredFile;
import io.packing.registry.dedup.ContentSource;
import io.packing.registry.files.BulkInputStream;
import java.io.IOException;
import java.util.List;

/** A file that nodes have, as a stream. Confined to one thread. */
final class ContentStream extends BulkInputStream {
    private static final int PIECE = 4 << 20;

    private final ContentSource contents;
    private final StoredFile file;
    private byte[] piece = new byte[0];
    private int done;
    private long position;

    ContentStream(ContentSource contents, StoredFile file) {
        this.contents = contents;
        this.file = file;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        if (count == 0) {
            return 0;
        }
        if (done == piece.length) {
            int n = (int) Math.min(PIECE, file.bytes() - position);
            if (n == 0) {
                return -1;
            }
            byte[] next = new byte[n];
            contents.read(List.of(new ContentSource.Wanted(file.id(), file.bytes(), position, n, 0)), next);
            piece = next;
            done = 0;
            position += n;
        }
        int n = Math.min(count, piece.length - done);
        System.arraycopy(piece, done, into, offset, n);
        done += n;
        return n;
    }
}
