// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.nio.charset.StandardCharsets;

/** The numbers of files: a hash of a file's first name, and of the number of earlier files with that name. */
final class TracedFileIds {
    private static final long PRIME = 0x9E3779B97F4A7C15L;

    private TracedFileIds() {}

    /** Returns the number of the first file of this name. */
    static long of(String name) {
        long hash = name.length();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ b) * 0x100000001B3L;
        }
        return mix(hash);
    }

    /** Returns the number of a later file of this name. */
    static long of(String name, int generation) {
        return generation == 0 ? of(name) : mix(of(name) + generation * PRIME);
    }

    static long mix(long value) {
        long z = value + PRIME;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
