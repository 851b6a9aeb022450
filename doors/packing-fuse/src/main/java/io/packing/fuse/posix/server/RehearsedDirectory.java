// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import io.packing.bdt.Durability;
import io.packing.blob.FilePath;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.posix.PosixOptions;
import io.packing.fuse.posix.TreeSource;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.owner.OwnerMap;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A read-only directory of a mount that is not mounted. A server calls it like the kernel, so that its code is compiled
 * before a program waits for it.
 */
public final class RehearsedDirectory implements AutoCloseable {
    private static final Duration VALID = Duration.ofHours(1);

    private final Path state;
    private final OpenMount open;
    private final MountedFiles files;

    private RehearsedDirectory(Path state, OpenMount open) {
        this.state = state;
        this.open = open;
        this.files = new MountedFiles(open);
    }

    /**
     * Opens a directory.
     *
     * @param mount that the caller closes after this
     * @param state a new local directory, deleted in the end
     * @param nanoTime the process's clock
     */
    public static RehearsedDirectory open(
            RemotePackingFileSystem mount, FilePath directory, TreeSource source, Path state, LongSupplier nanoTime)
            throws IOException {
        Files.createDirectories(state);
        PosixOptions settings = new PosixOptions(
                true, VALID, PosixOptions.DRAFT_BYTES, PosixOptions.DRAFT_AGE, state, false, OwnerMap.TREES);
        OpenMount open =
                new OpenMount(mount, Durability.SYNCED, directory, settings, source, Clock.systemUTC(), nanoTime);
        open.begin();
        return new RehearsedDirectory(state, open);
    }

    /** Returns the file system that the kernel would call. */
    public FuseFileSystem files() {
        return files;
    }

    @Override
    public void close() throws IOException {
        open.journal.close();
        List<Path> all;
        try (Stream<Path> below = Files.walk(state)) {
            all = below.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : all) {
            Files.delete(each);
        }
    }
}
