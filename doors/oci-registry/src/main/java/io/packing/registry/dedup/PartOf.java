// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.files.BulkInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** The next bytes of a stream. Confined to one thread. */
final class PartOf extends BulkInputStream {
    private final InputStream from;
    private long left;

    PartOf(InputStream from, long length) {
        this.from = from;
        this.left = length;
    }

    long left() {
        return left;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
        if (left == 0) {
            return count == 0 ? 0 : -1;
        }
        int n = from.read(into, offset, (int) Math.min(count, left));
        if (n < 0) {
            throw new EOFException("a blob ended %d bytes before a content in it did".formatted(left));
        }
        left -= n;
        return n;
    }
}
