package io.packing.layers.root;

import io.packing.blob.FilePath;
import io.packing.layers.OpenRegistry;
import io.packing.posix.PosixServerMain;
import io.packing.posix.TreeSource;
import io.packing.registry.files.Layout;
import io.packing.registry.files.MountFiles;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The program of a server of a {@link RootsMount}. */
public final class RootsServerMain {
    private static final Duration START = Duration.ofSeconds(20);
    private static final int THREADS = 4;

    private RootsServerMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        FilePath containers = new FilePath(args[1]);
        // They go with the process.
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "read-ahead");
            thread.setDaemon(true);
            return thread;
        });
        PosixServerMain.run(
                args,
                (mount, options) -> new Source(
                        containers,
                        new StartOrders(
                                new MountFiles(mount, options),
                                new Layout(containers.parent().orElse(FilePath.ROOT)),
                                threads,
                                OpenRegistry::id,
                                System::nanoTime,
                                START)));
    }

    /** Roots that come to be, and what is read of them. */
    private static final class Source implements TreeSource {
        private final Optional<FilePath> containers;
        private final StartOrders orders;

        Source(FilePath containers, StartOrders orders) {
            this.containers = Optional.of(containers);
            this.orders = orders;
        }

        /** A container may come to be under a name that was looked for before. */
        @Override
        public boolean makes(FilePath path) {
            return path.parent().equals(containers);
        }

        @Override
        public boolean watchesReads() {
            return true;
        }

        @Override
        public void wasRead(FilePath path, long offset, int length) {
            orders.read(path, offset, length);
        }

        @Override
        public void tend() {
            orders.step();
        }
    }
}
