package io.packing.sim.pack;

/**
 * Files that applications write.
 *
 * @param files how many
 * @param sizeBytes of each
 * @param filesPerSecond at which they arrive; positive infinity: as fast as they are taken
 */
public record Workload(long files, long sizeBytes, double filesPerSecond) {
    public Workload {
        if (files < 1 || sizeBytes < 0 || !(filesPerSecond > 0)) {
            throw new IllegalArgumentException("impossible workload: %d files of %d bytes at %s per second"
                    .formatted(files, sizeBytes, filesPerSecond));
        }
    }

    public double bytes() {
        return (double) files * sizeBytes;
    }
}
