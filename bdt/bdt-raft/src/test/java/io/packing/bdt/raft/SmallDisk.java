// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file system in memory that can become full: it shrinks to its content. Only root may mount it. */
final class SmallDisk implements AutoCloseable {
    private static final String SIZE = "1g";

    private final Path directory;

    private SmallDisk(Path directory) {
        this.directory = directory;
    }

    /** Mounts a disk; skips the test if this machine does not allow that. */
    static SmallDisk mount(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", directory.toString()),
                "run as root, on Linux, to mount a disk that becomes full");
        return new SmallDisk(directory);
    }

    private static boolean run(String... words) throws InterruptedException {
        try {
            return new ProcessBuilder(words)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Leaves a number of free bytes. */
    void leave(long bytes) throws IOException, InterruptedException {
        FileStore store = Files.getFileStore(directory);
        resize(Long.toString(store.getTotalSpace() - store.getUnallocatedSpace() + bytes));
    }

    /** Makes room again. */
    void enlarge() throws IOException, InterruptedException {
        resize(SIZE);
    }

    private void resize(String size) throws IOException, InterruptedException {
        if (!run("mount", "-o", "remount,size=" + size, directory.toString())) {
            throw new IOException("%s cannot be made of size %s".formatted(directory, size));
        }
    }

    @Override
    public void close() throws IOException {
        try {
            boolean unused = run("umount", "-l", directory.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
