// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster.noop;

import java.io.OutputStream;
import java.util.function.LongConsumer;

/** A stream that drops its bytes and reports their number once, at the end. */
final class CountingOutput extends OutputStream {
    private final LongConsumer onClose;
    private long bytes;
    private boolean closed;

    CountingOutput(LongConsumer onClose) {
        this.onClose = onClose;
    }

    @Override
    public void write(int b) {
        bytes++;
    }

    @Override
    public void write(byte[] source, int offset, int length) {
        bytes += length;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onClose.accept(bytes);
        }
    }
}
