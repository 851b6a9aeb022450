package io.packing.layers.root;

import io.packing.blob.FilePath;
import io.packing.layers.OpenRegistry;
import io.packing.layers.start.Starts;
import io.packing.posix.PosixServerMain;
import io.packing.posix.TreeSource;
import io.packing.registry.files.Layout;
import io.packing.registry.files.MountFiles;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** The program of a server of a {@link RootsMount}. */
public final class RootsServerMain {
    private static final int FETCHING = 4;
    private static final int LISTING = 8;
    private static final int KEEPING = 2;

    private RootsServerMain() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        FilePath containers = new FilePath(args[1]);
        // They go with the process.
        Starts.Threads threads = new Starts.Threads(
                threads(FETCHING, "start-fetch"), threads(LISTING, "start-list"), threads(KEEPING, "start-keep"));
        PosixServerMain.run(
                args,
                (mount, options) -> new Source(
                        containers,
                        ahead -> new Starts(
                                mount,
                                new MountFiles(mount, options),
                                new Layout(containers.parent().orElse(FilePath.ROOT)),
                                ahead,
                                threads,
                                OpenRegistry::id,
                                System::nanoTime)));
    }

    private static Executor threads(int count, String name) {
        return Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Roots that come to be, and what is read of them. */
    private static final class Source implements TreeSource {
        private final Optional<FilePath> containers;
        private final Starts starts;
        private volatile Ahead ahead = directory -> {};

        Source(FilePath containers, Function<Starts.Directories, Starts> starts) {
            this.containers = Optional.of(containers);
            this.starts = starts.apply(directory -> ahead.learn(directory));
        }

        @Override
        public void begin(Ahead learning) {
            ahead = learning;
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
        public void wasSearched(FilePath directory) {
            starts.searched(directory);
        }

        @Override
        public void wasLookedUp(FilePath path) {
            starts.lookedUp(path);
        }

        @Override
        public void wasRead(FilePath path, long offset, int length) {
            starts.read(path, offset, length);
        }

        @Override
        public void tend() {
            starts.step();
        }
    }
}
