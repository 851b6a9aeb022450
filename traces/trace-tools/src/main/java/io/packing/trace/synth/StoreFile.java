// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

/**
 * An HFile: a flush or a compaction writes it, or a compaction reads it as an old file.
 *
 * @param store {@code region/family}
 * @param size bytes of the file
 * @param scanned bytes at the file's start that a compaction reads: an old file without its index and filters
 */
record StoreFile(String store, String name, long size, long scanned) {
    StoreFile {
        if (size < 1 || scanned < 0 || scanned > size) {
            throw new IllegalArgumentException("bad file: %d of %d bytes are scanned".formatted(scanned, size));
        }
    }

    String path() {
        return HBaseNames.file(store, name);
    }

    String temporaryPath() {
        return HBaseNames.temporary(store, name);
    }
}
