// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.blob.FilePath;
import io.packing.fuse.posix.server.PosixServerMain;
import io.packing.fuse.posix.server.ServerArguments;
import io.packing.layers.OpenRegistry;
import io.packing.layers.start.ContainerStarts;
import io.packing.layers.start.Rehearsal;
import io.packing.layers.start.StartsSource;
import io.packing.registry.files.Layout;
import io.packing.registry.files.MountFiles;
import io.packing.worker.api.ReadOptions;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program of a server of a {@link RootsMount}. */
public final class RootsServerMain {
    /** A system property: {@code true} when the server rehearses before the first container. */
    static final String REHEARSES = "packing.layers.rehearse";

    private static final Logger LOG = LoggerFactory.getLogger(RootsServerMain.class);
    private static final int FETCHING = 4;
    private static final int LISTING = 8;
    private static final int KEEPING = 2;

    private RootsServerMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        ServerArguments arguments = ServerArguments.parse(args);
        FilePath containers = arguments.path();
        Path state = arguments.state();
        Path rehearsed = state.resolve(RootsMount.REHEARSED);
        Files.deleteIfExists(rehearsed);
        // They go with the process.
        ContainerStarts.Threads threads = new ContainerStarts.Threads(
                threads(FETCHING, "start-fetch"), threads(LISTING, "start-list"), threads(KEEPING, "start-keep"));
        FilePath registry = containers.parent().orElse(FilePath.ROOT);
        PosixServerMain.run(withCache(arguments, Runtime.getRuntime().maxMemory()), (mount, options) -> {
            checkReadsStore(mount);
            MountFiles files = new MountFiles(mount, options);
            Rehearsal rehearsal = new Rehearsal(
                    mount, files, registry, threads, state.resolve("rehearsal"), OpenRegistry::id, System::nanoTime);
            return new StartsSource(
                    containers,
                    ahead -> new ContainerStarts(
                            mount, files, new Layout(registry), ahead, threads, OpenRegistry::id, System::nanoTime),
                    isUnused -> {
                        if (Boolean.getBoolean(REHEARSES)) {
                            begin(() -> rehearse(rehearsal, isUnused, rehearsed));
                        }
                    });
        });
    }

    /** Refuses a mount that is read through workers, since starts of containers use pages of blobs. */
    static void checkReadsStore(RemotePackingFileSystem mount) throws IOException {
        if (mount.isReadThroughWorkers()) {
            throw new IOException(
                    "roots of containers are started from pages of blobs, which this process reads itself: give it the store and %s=store, and where the master has bdt.places=daemons a superuser's certificate"
                            .formatted(ReadOptions.THROUGH.key()));
        }
    }

    /**
     * Returns the arguments with half of the heap as a cache of fetched pages, unless they have its size. A server that
     * cannot hold the libraries of a compiler, which are read by pieces, fetches them twice.
     */
    static ServerArguments withCache(ServerArguments arguments, long heapBytes) {
        return arguments.withDefault(ReadOptions.CACHE_BYTES.key(), Long.toString(heapBytes / 2));
    }

    private static void begin(Runnable work) {
        Thread thread = new Thread(work, "rehearsal");
        thread.setDaemon(true);
        thread.start();
    }

    private static void rehearse(Rehearsal rehearsal, BooleanSupplier goesOn, Path rehearsed) {
        try {
            rehearsal.run(goesOn);
            Files.writeString(rehearsed, "");
        } catch (IOException | RuntimeException e) {
            LOG.warn("nothing is rehearsed, so that the first containers start slowly: {}", e.toString());
        }
    }

    private static Executor threads(int count, String name) {
        return Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }
}
