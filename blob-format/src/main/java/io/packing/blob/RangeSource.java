package io.packing.blob;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Random access to the bytes of one blob, wherever it is: a file, an object, an array. */
public interface RangeSource {
    /** The blob's name, for messages. */
    String name();

    /** The blob's total length in bytes. */
    long length() throws IOException;

    /** Exactly {@code length} bytes from {@code offset}; one request. Past the end is an {@link IOException}. */
    ByteBuffer read(long offset, int length) throws IOException;
}
