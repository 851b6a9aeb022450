package io.packing.trace.synth;

/**
 * An HFile that a flush or a compaction writes, or an old one that a compaction reads.
 *
 * @param store {@code region/family}
 * @param size bytes of the file
 * @param scanned bytes at its start that a compaction reads: all but the index and filters of an old file
 */
record StoreFile(String store, String name, long size, long scanned) {
    StoreFile {
        if (size < 1 || scanned < 0 || scanned > size) {
            throw new IllegalArgumentException("bad file: %d of %d bytes are scanned".formatted(scanned, size));
        }
    }

    String path() {
        return Names.file(store, name);
    }

    String temporaryPath() {
        return Names.temporary(store, name);
    }
}
