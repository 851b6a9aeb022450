// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.store;

import java.security.MessageDigest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The hashes of uploads whose chunks all came to this process, so that the chunks need not be read again. A missing
 * hash costs a read of the chunks, and nothing else. Thread-safe.
 */
final class RunningHashes {
    private static final int MOST = 10_000;

    /**
     * A hash of the first bytes.
     *
     * @param count how many bytes
     */
    record Running(MessageDigest hasher, long count) {}

    private final Map<String, Running> byUpload = new LinkedHashMap<>();

    /** Takes the hash of an upload out, if it is that of its first bytes. */
    synchronized Optional<MessageDigest> take(String upload, long count) {
        Running found = byUpload.remove(upload);
        return found != null && found.count() == count ? Optional.of(found.hasher()) : Optional.empty();
    }

    synchronized void put(String upload, Running running) {
        if (byUpload.size() >= MOST) {
            byUpload.remove(byUpload.keySet().iterator().next());
        }
        byUpload.put(upload, running);
    }
}
