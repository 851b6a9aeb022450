// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.desktop;

import java.util.Map;

/** The objects and requests for a task's written files: one object for each file, or blobs of many small files. */
final class PackedFiles {
    private final DesktopOptions.Packing config;
    private long packed;
    private long packedBytes;
    private long whole;
    private long wholeBytes;

    PackedFiles(DesktopOptions.Packing config) {
        this.config = config;
    }

    /** Counts a written file at its close. */
    void stored(long length) {
        if (length <= config.limit()) {
            packed++;
            packedBytes += length;
        } else {
            whole++;
            wholeBytes += length;
        }
    }

    void tell(Map<String, Double> metrics) {
        double blobs = Math.ceil(packedBytes / (double) config.blobBytes());
        double direct = packed + whole;
        double withPacking = blobs + whole;
        metrics.put("packed-files", (double) packed);
        metrics.put("whole-files", (double) whole);
        metrics.put("packed-mb", packedBytes / 1e6);
        metrics.put("whole-mb", wholeBytes / 1e6);
        metrics.put("puts-direct", direct);
        metrics.put("puts-packed", withPacking);
        metrics.put("dollars-direct", direct * config.dollarsPerPut());
        metrics.put("dollars-packed", withPacking * config.dollarsPerPut());
    }
}
