// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.fuse.FuseException;
import io.packing.fuse.FuseFileSystem;
import io.packing.fuse.FuseOptions;
import io.packing.fuse.FuseServer;
import io.packing.fuse.FuseSession;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.mount.KernelMountTable;
import io.packing.fuse.mount.ParentWatch;
import io.packing.fuse.posix.PosixOptions;
import io.packing.fuse.posix.Repeated;
import io.packing.fuse.posix.TreeSource;
import io.packing.fuse.posix.node.OpenMount;
import io.packing.fuse.posix.trace.CallTrace;
import io.packing.fuse.posix.trace.TracedFiles;
import io.packing.store.ObjectStores;
import io.packing.trace.TraceOrigin;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.Writers;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process that serves a mounted directory: its standard input is the FUSE device. */
public final class PosixServer {
    private static final Logger LOG = LoggerFactory.getLogger(PosixServer.class);
    private static final int MOST_BYTES = 1 << 20;
    private static final int THREADS = 16;

    private PosixServer() {}

    /**
     * The configuration of a server.
     *
     * @param trace a new file for a trace of all calls; empty: no trace
     */
    public record Served(
            String master,
            MountOptions mount,
            FilePath path,
            Path directory,
            PosixOptions settings,
            TreeSource.Factory source,
            Optional<Path> trace) {}

    /**
     * Serves until the mount is gone; returns the exit code of the process.
     *
     * @param serving runs once, when the server answers the kernel's requests
     */
    public static int serve(Served served, Runnable serving) throws IOException, InterruptedException {
        try (GrpcBdts master = GrpcBdts.connect(
                        served.master(),
                        served.mount().timeouts().master(),
                        served.mount().security());
                RemotePackingFileSystem mount = open(master, served.mount())) {
            OpenMount open = new OpenMount(
                    mount,
                    mount.durability(),
                    served.path(),
                    served.settings(),
                    served.source().open(mount, served.mount()),
                    Clock.systemUTC(),
                    System::nanoTime);
            MountedFiles files = new MountedFiles(open);
            if (isResumed(served)) {
                open.restore();
            } else {
                open.clear();
            }
            open.begin();
            if (served.trace().isEmpty()) {
                return serve(served, files, files, open.source::tend, serving);
            }
            try (CallTrace trace = CallTrace.create(unused(served.trace().get()))) {
                // SIGTERM ends the JVM without leaving this block.
                Runtime.getRuntime().addShutdownHook(new Thread(trace::flush, "trace-at-end"));
                TracedFiles traced = new TracedFiles(
                        files,
                        node -> shownPath(served, open, node),
                        trace,
                        Clock.systemUTC(),
                        System::nanoTime,
                        new TraceOrigin(
                                InetAddress.getLocalHost().getHostName(),
                                ProcessHandle.current().pid(),
                                "packing mount " + served.directory()));
                Runnable tend = () -> {
                    open.source.tend();
                    trace.flush();
                };
                return serve(served, files, traced, tend, serving);
            }
        }
    }

    /** Returns the name of a missing file: a restarted server writes a trace of its own. */
    private static Path unused(Path file) {
        Path name = file;
        for (int i = 1; Files.exists(name); i++) {
            name = file.resolveSibling(file.getFileName() + "." + i);
        }
        return name;
    }

    /** Returns the path by which programs name a node. */
    private static String shownPath(Served served, OpenMount open, long node) {
        try {
            String path = open.nodes.path(open.nodes.get(node)).value();
            String below = served.path().isRoot()
                    ? path
                    : path.substring(served.path().value().length());
            return served.directory() + (below.equals("/") ? "" : below);
        } catch (FuseException e) {
            return "";
        }
    }

    /**
     * Serves a mount.
     *
     * @param called answers the kernel: the files, or a layer over them
     * @param tend runs each second besides
     */
    private static int serve(Served served, MountedFiles files, FuseFileSystem called, Runnable tend, Runnable serving)
            throws IOException, InterruptedException {
        FuseOptions settings = new FuseOptions(served.settings().readOnly(), 1, MOST_BYTES, THREADS, true);
        FuseSession session = new FuseSession(called, settings);
        FuseServer server = FuseServer.onStandardInput(session, settings);
        ParentWatch.onExit(() -> orphaned(served.directory(), files));
        Runtime.getRuntime().addShutdownHook(new Thread(files::publishAll, "publish-at-end"));
        if (!begin(served, session, server)) {
            return 0;
        }
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try {
            Repeated publishing = new Repeated("the publication of old drafts", files::tend);
            Repeated besides = new Repeated("the work beside calls", tend);
            ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                    () -> {
                        publishing.run();
                        besides.run();
                    },
                    1,
                    1,
                    TimeUnit.SECONDS);
            serving.run();
            server.await();
        } finally {
            timer.shutdown();
        }
        return files.publishAll() == 0 ? 0 : 1;
    }

    private static Path resumable(Served served) {
        return served.settings().state().resolve(FuseMount.RESUMABLE);
    }

    private static boolean isResumed(Served served) {
        return Files.exists(resumable(served));
    }

    /**
     * Answers INIT and starts, or goes on with the agreement of an earlier server; returns false if the mount is gone.
     */
    private static boolean begin(Served served, FuseSession session, FuseServer server) throws IOException {
        if (isResumed(served)) {
            LOG.warn("the server of {} died; this one goes on", served.directory());
            session.resume(Long.parseLong(Files.readString(resumable(served))));
            server.start();
            server.askAgain();
            return true;
        }
        if (!server.begin()) {
            return false;
        }
        Files.writeString(served.settings().state().resolve(FuseMount.SERVED), "");
        if (session.canResume()) {
            // The file appears whole or not at all: the keeper only looks if it exists.
            Path made = resumable(served).resolveSibling("resumable.new");
            Files.writeString(made, Long.toString(session.agreed()));
            Files.move(made, resumable(served), StandardCopyOption.ATOMIC_MOVE);
        }
        server.start();
        return true;
    }

    /** Unmounts after the death of the keeper, since no other process will. */
    private static void orphaned(Path directory, MountedFiles files) {
        LOG.error("the keeper of {} is gone: unmounting", directory);
        try {
            unmount(directory);
            int unused = files.publishAll();
        } finally {
            // Halt after any failure: a process without a keeper must not stay.
            Runtime.getRuntime().halt(1);
        }
    }

    private static void unmount(Path directory) {
        try {
            KernelMountTable.unmount(directory);
        } catch (IOException e) {
            LOG.error("{} could not be unmounted", directory, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static RemotePackingFileSystem open(GrpcBdts master, MountOptions options) throws IOException {
        Writers writers = Writers.preferHost(InetAddress.getLocalHost().getHostName());
        return RemotePackingFileSystem.open(master, options, ObjectStores::open, writers);
    }
}
