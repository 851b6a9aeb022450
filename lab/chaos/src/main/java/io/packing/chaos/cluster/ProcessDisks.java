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
 * A disk for each process, which can become full: a file system in memory that is made as small as what is on it. Where this process may
 * not mount, processes have plain directories.
 */
final class ProcessDisks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessDisks.class);
    /** More than what a master wants to be free, and than a round writes. */
    private static final String SIZE = "2g";
    /**
     * What is left on a full disk: less than masters and workers keep free, and more than they write until they have seen that. LevelDB ends
     * its process when nothing is left from one moment to the next.
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
        boolean mounts = Programs.succeeds("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", probe.toString());
        if (mounts) {
            boolean unmounted = Programs.succeeds("umount", probe.toString());
            LOG.debug("the probe was unmounted: {}", unmounted);
        }
        Files.deleteIfExists(probe);
        return new ProcessDisks(home, mounts);
    }

    /** Whether disks can become full here. */
    boolean isThere() {
        return there;
    }

    /** The directory of a process, on a disk of its own if there can be one. */
    Path of(String process) throws IOException, InterruptedException {
        Path directory = home.resolve(process);
        if (there && !mounted.containsKey(process)) {
            Path disk = Files.createDirectories(home.resolve("disk-" + process));
            if (!Programs.succeeds("mount", "-t", "tmpfs", "-o", "size=" + SIZE, "tmpfs", disk.toString())) {
                throw new IOException("no file system can be mounted at " + disk);
            }
            mounted.put(process, disk);
        }
        return there ? home.resolve("disk-" + process).resolve("data") : directory;
    }

    /** From now on a process's disk is full. */
    void fill(String process) throws IOException, InterruptedException {
        FileStore store = Files.getFileStore(disk(process));
        resize(process, store.getTotalSpace() - store.getUnallocatedSpace() + LEFT_BYTES + "");
    }

    /** There is room again on all disks. */
    void empty() throws IOException, InterruptedException {
        for (String process : mounted.keySet()) {
            resize(process, SIZE);
        }
    }

    private void resize(String process, String size) throws IOException, InterruptedException {
        if (!Programs.succeeds(
                "mount", "-o", "remount,size=" + size, disk(process).toString())) {
            throw new IOException("%s cannot be made of size %s".formatted(disk(process), size));
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
                // What was on it is gone with it; logs are elsewhere.
                if (!Programs.succeeds("umount", "-l", disk.toString())) {
                    LOG.warn("{} stays mounted", disk);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
