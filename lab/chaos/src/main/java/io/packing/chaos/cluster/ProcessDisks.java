// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A disk for each process, which can become full: a file system in memory, shrunk to its content. On a machine that
 * forbids mounting, processes have plain directories.
 */
final class ProcessDisks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessDisks.class);
    /** The size of a disk: more than a master wants to be free, and more than a round writes. */
    private static final String SIZE = "2g";
    /**
     * The free bytes of a full disk: fewer than masters and workers keep free, and more than they write until they
     * notice. LevelDB ends its process if the last byte goes at once.
     */
    private static final long LEFT_BYTES = 32 << 20;

    private final Path home;
    private final boolean there;
    private final Map<String, Path> mounted = new HashMap<>();

    private ProcessDisks(Path home, boolean there) {
        this.home = home;
        this.there = there;
    }

    static ProcessDisks below(Path home) throws IOException, InterruptedException {
        Path probe = Files.createDirectories(home.resolve("disk-probe"));
        boolean mounts = ProgramCheck.succeeds("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", probe.toString());
        if (mounts) {
            boolean unmounted = ProgramCheck.succeeds("umount", probe.toString());
            LOG.debug("the probe was unmounted: {}", unmounted);
        }
        Files.deleteIfExists(probe);
        return new ProcessDisks(home, mounts);
    }

    /** Returns whether this machine lets disks become full. */
    boolean isThere() {
        return there;
    }

    /** Returns the directory of a process, on a disk of its own if possible. */
    Path of(String process) throws IOException, InterruptedException {
        Path directory = home.resolve(process);
        if (there && !mounted.containsKey(process)) {
            Path disk = Files.createDirectories(home.resolve("disk-" + process));
            if (!ProgramCheck.succeeds("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", disk.toString())) {
                throw new IOException("no file system can be mounted at " + disk);
            }
            mounted.put(process, disk);
        }
        return there ? home.resolve("disk-" + process).resolve("data") : directory;
    }

    void fill(String process) throws IOException, InterruptedException {
        FileStore store = Files.getFileStore(disk(process));
        resize(process, store.getTotalSpace() - store.getUnallocatedSpace() + LEFT_BYTES + "");
    }

    /** Makes room on all disks again. */
    void empty() throws IOException, InterruptedException {
        for (String process : mounted.keySet()) {
            resize(process, SIZE);
        }
    }

    private void resize(String process, String size) throws IOException, InterruptedException {
        if (!ProgramCheck.succeeds(
                "mount", "-o", "remount,size=" + size, disk(process).toString())) {
            throw new IOException("%s cannot be resized to %s".formatted(disk(process), size));
        }
    }

    private Path disk(String process) {
        Path disk = mounted.get(process);
        if (disk == null) {
            throw new IllegalStateException(process + " has no disk");
        }
        return disk;
    }

    @Override
    public void close() {
        List<Path> all = new ArrayList<>(mounted.values());
        mounted.clear();
        try {
            for (Path disk : all) {
                // The disk's content goes with it; logs are elsewhere.
                if (!ProgramCheck.succeeds("umount", "-l", disk.toString())) {
                    LOG.warn("{} stays mounted", disk);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
