// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import com.google.common.hash.Hashing;
import io.packing.chaos.model.SeededContent;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Some names of a directory, and the versions of their files. The n-th version is n bytes long, so that a file's length
 * tells its version. Thread-safe.
 *
 * @param directory with the path
 * @param names in it
 * @param shared whether all lanes use it, and the directory has no other files
 * @param seed of the bytes of all versions
 * @param latest version
 * @param versions by the SHA-256 of their bytes
 */
record Place(
        String directory,
        List<String> names,
        boolean shared,
        long seed,
        AtomicInteger latest,
        Map<String, Long> versions) {
    Place(String directory, List<String> names, boolean shared, long seed) {
        this(directory, List.copyOf(names), shared, seed, new AtomicInteger(), new ConcurrentHashMap<>());
    }

    String path(String name) {
        return directory + "/" + name;
    }

    /** Returns the key of this place's history. */
    String key() {
        return shared ? directory : path(names.get(0));
    }

    /** Makes a new version. */
    SeededContent next() {
        SeededContent content = content(latest.incrementAndGet());
        versions.put(Hashing.sha256().hashBytes(content.bytes()).toString(), (long) content.length());
        return content;
    }

    SeededContent content(long version) {
        // The seed is odd: then even short files have different bytes.
        return new SeededContent(new SplittableRandom(seed ^ version << 32).nextLong() | 1, Math.toIntExact(version));
    }

    /** Returns the version with these bytes; empty if no client wrote them. */
    OptionalLong version(String digest) {
        Long version = versions.get(digest);
        return version == null ? OptionalLong.empty() : OptionalLong.of(version);
    }
}
