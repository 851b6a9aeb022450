package io.packing.worker.api;

/** The checks of the options for the disk tier of the read cache. */
final class ReadDisk {
    private static final long LEAST_BYTES = 16L << 20;

    private ReadDisk() {}

    /** Refuses a tier that is too small or has no directory. */
    static void check(long bytes, String directory) {
        if (bytes > 0 && bytes < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "option %s: %d bytes are too few, give it at least 16MB, or 0 to use no disk"
                            .formatted(MountOptions.READ_DISK_BYTES.key(), bytes));
        }
        if (bytes > 0 && directory.isEmpty()) {
            throw new IllegalArgumentException("option %s: %s has to say where; no other process may use that directory"
                    .formatted(MountOptions.READ_DISK_BYTES.key(), MountOptions.READ_DISK_DIR.key()));
        }
    }
}
