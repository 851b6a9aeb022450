package io.packing.sorted;

import java.io.IOException;
import java.nio.file.FileStore;
import java.util.HashMap;
import java.util.Map;

/**
 * The disks that the stores of one process share. Engines write in the background after the last write that they took, so
 * every store on a disk wants some of it kept free. Thread-safe.
 */
public final class DiskSpace {
    private final Map<FileStore, Long> wanted = new HashMap<>();

    /** One store's part of a disk. */
    final class Part implements AutoCloseable {
        private final FileStore disk;
        private final long bytes;

        private Part(FileStore disk, long bytes) {
            this.disk = disk;
            this.bytes = bytes;
        }

        long usableBytes() throws IOException {
            return disk.getUsableSpace();
        }

        /** What the other stores on the disk want kept free. */
        long wantedByOthers() {
            synchronized (wanted) {
                return wanted.getOrDefault(disk, 0L) - bytes;
            }
        }

        @Override
        public void close() {
            add(disk, -bytes);
        }
    }

    /** Joins the stores on a disk with a wish for so many bytes. */
    Part join(FileStore disk, long bytes) {
        add(disk, bytes);
        return new Part(disk, bytes);
    }

    private void add(FileStore disk, long bytes) {
        synchronized (wanted) {
            wanted.merge(disk, bytes, Long::sum);
        }
    }
}
