// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

/**
 * The files that applications write.
 *
 * @param files number of files
 * @param sizeBytes of each
 * @param filesPerSecond of the arrival; positive infinity: as fast as the workers take them
 */
public record FileWorkload(long files, long sizeBytes, double filesPerSecond) {
    public FileWorkload {
        if (files < 1 || sizeBytes < 0 || !(filesPerSecond > 0)) {
            throw new IllegalArgumentException("impossible workload: %d files of %d bytes at %s per second"
                    .formatted(files, sizeBytes, filesPerSecond));
        }
    }

    public double bytes() {
        return (double) files * sizeBytes;
    }
}
