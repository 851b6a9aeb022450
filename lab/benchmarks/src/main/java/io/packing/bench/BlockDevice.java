// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The block device of a folder, with the bytes that it has written for all processes of the machine.
 *
 * <p>The kernel's count for a process has the pages that became dirty instead. If a file is overwritten and cached in
 * large folios, one byte makes all pages of its folio dirty.
 *
 * @param major of its number in {@code /proc/diskstats}
 * @param minor of its number
 * @param folder whose file system is synced before a read of the count
 */
record BlockDevice(int major, int minor, Path folder) {
    private static final Path STATISTICS = Path.of("/proc/diskstats");
    private static final int SECTOR = 512;
    /** The index of the sectors written: after the numbers and the name, four fields of reads and two of writes. */
    private static final int SECTORS_WRITTEN = 9;

    /** Finds the device; empty if the folder is in memory or on a network. */
    static Optional<BlockDevice> of(Path folder) throws IOException {
        long device = (Long) Files.getAttribute(folder, "unix:dev");
        // This is the C library's encoding of a device number.
        int major = (int) ((device >>> 8) & 0xFFF);
        int minor = (int) ((device & 0xFF) | ((device >>> 12) & 0xFFF00));
        BlockDevice found = new BlockDevice(major, minor, folder);
        return found.row().map(row -> found);
    }

    /** Syncs the file system, and returns the bytes that the device has written since the machine started. */
    double bytesWritten() throws IOException, InterruptedException {
        Process sync =
                new ProcessBuilder("sync", "-f", folder.toString()).inheritIO().start();
        if (sync.waitFor() != 0) {
            throw new IOException("cannot sync " + folder);
        }
        return row().map(row -> Double.parseDouble(row.get(SECTORS_WRITTEN)) * SECTOR)
                .orElseThrow();
    }

    private Optional<List<String>> row() throws IOException {
        return Files.readAllLines(STATISTICS).stream()
                .map(line -> List.of(line.strip().split(" +", -1)))
                .filter(row ->
                        row.get(0).equals(Integer.toString(major)) && row.get(1).equals(Integer.toString(minor)))
                .findFirst();
    }
}
