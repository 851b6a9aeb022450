// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.direct;

import java.io.IOException;
import java.nio.file.Path;

/** A client of the store that makes an object of each file. Many threads use it at once. */
public interface DirectClient extends AutoCloseable {
    /** Returns the client's version and retries, in words. */
    String settings();

    /** Stores an object, and returns when the store has it. */
    void put(String key, byte[] bytes) throws IOException;

    /** Stores an object with the bytes of a file, and returns when the store has it. */
    void put(String key, Path file) throws IOException;

    /**
     * Reads an object.
     *
     * @param length bytes that it should have; the answer has another number of bytes if the object has
     */
    byte[] get(String key, int length) throws IOException;

    /** Returns the number of puts that failed after all of the client's own retries, and that the program did again. */
    long repeated();

    @Override
    void close() throws IOException;
}
