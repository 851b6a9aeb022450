// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.web;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.Serial;

/** The bytes of a client, as long as it is not too slow. */
public final class PacedInput extends FilterInputStream {
    private final ClientRate pace;
    private long count;

    /** A body ended before its end, or is not in the form that its request says: the client's failure, and not ours. */
    public static final class BrokenBodyException extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        private BrokenBodyException(long count, IOException cause) {
            super(
                    "the body could not be read to its end after %d bytes, send all of it again: %s"
                            .formatted(count, cause.getMessage()),
                    cause);
        }
    }

    public PacedInput(InputStream bytes, ClientRate pace) {
        super(bytes);
        this.pace = pace;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        long since = pace.waits();
        int n;
        try {
            n = super.read(into, offset, length);
        } catch (InterruptedIOException e) {
            // The server stops.
            throw e;
        } catch (IOException e) {
            throw new BrokenBodyException(count, e);
        }
        count += Math.max(n, 0);
        pace.moved(since, Math.max(n, 0));
        return n;
    }
}
