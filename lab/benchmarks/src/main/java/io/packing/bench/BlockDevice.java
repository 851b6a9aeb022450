package io.packing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The block device that a folder is on, and what it has written, for all processes of the machine.
 *
 * <p>What the kernel counts for a process are pages that become dirty: of a file that is written over and whose pages are
 * cached in large folios, all pages of a folio for any byte of it.
 *
 * @param major of its number in {@code /proc/diskstats}
 * @param minor of the same
 * @param folder what is written out before it is asked
 */
record BlockDevice(int major, int minor, Path folder) {
    private static final Path STATISTICS = Path.of("/proc/diskstats");
    private static final int SECTOR = 512;
    /** After the numbers and the name: four fields of reads, two of writes. */
    private static final int SECTORS_WRITTEN = 9;

    /** Empty where the folder is on no block device of its own: in memory, or on a network. */
    static Optional<BlockDevice> of(Path folder) throws IOException {
        long device = (Long) Files.getAttribute(folder, "unix:dev");
        // As the C library packs them.
        int major = (int) ((device >>> 8) & 0xFFF);
        int minor = (int) ((device & 0xFF) | ((device >>> 12) & 0xFFF00));
        BlockDevice found = new BlockDevice(major, minor, folder);
        return found.row().map(row -> found);
    }

    /** Writes out what is cached, and tells the bytes that the device has written since the machine started. */
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
