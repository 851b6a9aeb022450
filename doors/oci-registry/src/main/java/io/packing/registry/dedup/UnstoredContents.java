// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Hashes contents, and stores none: a recipe comes first, and nodes for its contents are chosen then. */
final class UnstoredContents implements ContentStore {
    private static final int BUFFER = 256 << 10;

    @Override
    public void put(String hex, byte[] bytes) {
        // It is read again when its nodes are known.
    }

    @Override
    public String put(InputStream bytes, MessageDigest hasher) throws IOException {
        byte[] buffer = new byte[BUFFER];
        for (int n = bytes.read(buffer); n >= 0; n = bytes.read(buffer)) {
            hasher.update(buffer, 0, n);
        }
        return HexFormat.of().formatHex(hasher.digest());
    }
}
