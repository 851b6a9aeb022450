// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.IOException;
import java.io.InputStream;

/** The files of layers that a client has, by the SHA-256 of their bytes. */
public interface ClientFiles {
    boolean has(String hex);

    /** Opens a file; {@link java.io.FileNotFoundException} or {@link java.nio.file.NoSuchFileException} when it is not there. */
    InputStream open(String hex) throws IOException;

    /**
     * Stores a file, unless it is there.
     *
     * @param bytes so many are read
     * @throws IOException when they do not have this hash
     */
    void store(String hex, InputStream bytes, long length) throws IOException;
}
