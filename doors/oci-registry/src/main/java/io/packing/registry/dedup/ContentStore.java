// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/** Takes the contents of a layer that is cut. Thread-safe. */
interface ContentStore {
    /** Stores a content that is in memory, unless it is there. */
    void put(String hex, byte[] bytes) throws IOException;

    /** Stores a large content, unless it is there, and returns its hash. */
    String put(InputStream bytes, MessageDigest hasher) throws IOException;
}
