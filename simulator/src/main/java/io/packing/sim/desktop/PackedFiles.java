package io.packing.sim.desktop;

import java.util.Map;

/** What an object store would take of the files that a task writes: one object a file, or blobs of many small ones. */
final class PackedFiles {
    private final DesktopConfig.Packing config;
    private long packed;
    private long packedBytes;
    private long whole;
    private long wholeBytes;

    PackedFiles(DesktopConfig.Packing config) {
        this.config = config;
    }

    /** A file that was written is closed. */
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
