package io.packing.store;

import java.io.IOException;

/** The checks of byte ranges and page sizes that all stores share. */
final class Ranges {
    private Ranges() {}

    static void check(long offset, int length) {
        if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("bad range %d+%d".formatted(offset, length));
        }
    }

    static void checkInside(String key, long offset, int length, long size) throws IOException {
        if (offset + length > size) {
            throw beyond(key, offset, length, size);
        }
    }

    static IOException beyond(String key, long offset, int length, long size) {
        return new IOException(
                "%s: range %d+%d reaches beyond the object's %d bytes".formatted(key, offset, length, size));
    }

    static void checkLimit(int limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException("a page of %d keys".formatted(limit));
        }
    }
}
