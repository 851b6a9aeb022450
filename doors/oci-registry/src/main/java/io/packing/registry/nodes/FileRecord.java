// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;

/**
 * The head of each file that is sent to a node, big-endian: the number of the replica (1 byte), the length (8), and the
 * SHA-256 (32).
 *
 * @param level the number of the replica: 0 is the primary one
 */
record FileRecord(String hex, int level, long length) {
    static final int SIZE = 41;
    static final int HASH = 32;

    byte[] header() {
        return ByteBuffer.allocate(SIZE)
                .put((byte) level)
                .putLong(length)
                .put(HexFormat.of().parseHex(hex))
                .array();
    }

    /** Reads the next record; empty: the end. */
    static Optional<FileRecord> read(InputStream in) throws IOException {
        int level = in.read();
        if (level < 0) {
            return Optional.empty();
        }
        DataInputStream data = new DataInputStream(in);
        long length = data.readLong();
        byte[] hash = new byte[HASH];
        data.readFully(hash);
        if (length < 0) {
            throw new EOFException("a file of %d bytes".formatted(length));
        }
        return Optional.of(new FileRecord(HexFormat.of().formatHex(hash), level, length));
    }
}
