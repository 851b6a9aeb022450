// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.FilterInputStream;
import java.io.IOException;
import software.amazon.awssdk.core.ResponseInputStream;

/**
 * The body of an answer that its reader takes piece by piece. When it is closed before its end, its connection is given up: a close that reads
 * on to keep the connection would read the rest of a blob. Confined to one thread.
 */
final class OpenAnswer extends FilterInputStream {
    private final ResponseInputStream<?> body;
    private int left;

    /** @param length of the body */
    OpenAnswer(ResponseInputStream<?> body, int length) {
        super(body);
        this.body = body;
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        int found = super.read();
        left -= found < 0 ? 0 : 1;
        return found;
    }

    @Override
    public int read(byte[] into, int at, int length) throws IOException {
        int count = super.read(into, at, length);
        left -= Math.max(0, count);
        return count;
    }

    @Override
    public long skip(long count) throws IOException {
        long skipped = super.skip(count);
        left -= (int) skipped;
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public void close() throws IOException {
        if (left > 0) {
            body.abort();
        } else {
            super.close();
        }
    }
}
