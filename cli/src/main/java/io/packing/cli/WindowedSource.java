// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.blob.RangeSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;

/** A blob that is read from front to back, a window per request. Confined to one thread. */
final class WindowedSource implements RangeSource {
    private final RangeSource source;
    private final int windowBytes;
    private final LongConsumer fetched;
    private long start;
    private ByteBuffer window = ByteBuffer.allocate(0);

    /** @param fetched told of the bytes of each request */
    WindowedSource(RangeSource source, int windowBytes, LongConsumer fetched) {
        this.source = source;
        this.windowBytes = windowBytes;
        this.fetched = fetched;
    }

    @Override
    public String name() {
        return source.name();
    }

    @Override
    public long length() throws IOException {
        return source.length();
    }

    @Override
    public ByteBuffer read(long offset, int length) throws IOException {
        if (length > windowBytes) {
            return fetch(offset, length);
        }
        if (offset < start || offset + length > start + window.remaining()) {
            int ahead = (int) Math.min(windowBytes, Math.max(length, source.length() - offset));
            window = fetch(offset, ahead);
            start = offset;
        }
        // Fewer bytes when the answer was too short: who checks them reads them again.
        int from = (int) Math.min(offset - start, window.remaining());
        return window.slice(window.position() + from, Math.min(length, window.remaining() - from));
    }

    /** {@inheritDoc} The window may be damaged elsewhere as well: it is given up. */
    @Override
    public ByteBuffer readAgain(long offset, int length) throws IOException {
        window = ByteBuffer.allocate(0);
        fetched.accept(length);
        return source.readAgain(offset, length);
    }

    private ByteBuffer fetch(long offset, int length) throws IOException {
        ByteBuffer bytes = source.read(offset, length);
        fetched.accept(length);
        return bytes;
    }
}
