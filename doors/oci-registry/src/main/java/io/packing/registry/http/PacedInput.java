package io.packing.registry.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** What a client sends, as long as it is not too slow. */
final class PacedInput extends FilterInputStream {
    private final Pace pace;

    PacedInput(InputStream bytes, Pace pace) {
        super(bytes);
        this.pace = pace;
    }

    @Override
    public int read() throws IOException {
        long since = pace.waits();
        int one = super.read();
        pace.moved(since, 1);
        return one;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        long since = pace.waits();
        int n = super.read(into, offset, length);
        pace.moved(since, Math.max(n, 0));
        return n;
    }
}
