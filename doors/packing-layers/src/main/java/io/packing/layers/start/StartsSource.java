// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import io.packing.blob.FilePath;
import io.packing.fuse.posix.TreeSource;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** Roots of containers that are created at any time, and the reads of their starts. */
public final class StartsSource implements TreeSource {
    private static final Ahead NOTHING_AHEAD = new Ahead() {
        @Override
        public void learn(FilePath directory) {}

        @Override
        public void find(List<FilePath> paths) {}
    };

    private final Optional<FilePath> containers;
    private final Function<TreeSource.Ahead, ContainerStarts> make;
    private volatile ContainerStarts starts;
    private volatile Ahead ahead = NOTHING_AHEAD;
    private final Consumer<BooleanSupplier> served;
    private volatile boolean wasUsed;
    /** The way to learn directories; set once the directory is mounted. */
    private final Ahead current = new Ahead() {
        @Override
        public void learn(FilePath directory) throws IOException {
            ahead.learn(directory);
        }

        @Override
        public void find(List<FilePath> paths) throws IOException {
            ahead.find(paths);
        }
    };
    // Confined to the thread that tends.
    private boolean wasTended;

    /**
     * Makes the roots below a directory.
     *
     * @param starts makes the starts of these containers
     * @param served called once, after the kernel's requests began to be answered; its argument says whether the kernel
     *     has asked for nothing yet
     */
    public StartsSource(
            FilePath containers, Function<TreeSource.Ahead, ContainerStarts> starts, Consumer<BooleanSupplier> served) {
        this.served = served;
        this.containers = Optional.of(containers);
        this.make = starts;
        this.starts = starts.apply(current);
    }

    /** Knows nothing of the starts before any more. */
    void beginAnew() {
        starts = make.apply(current);
    }

    @Override
    public void begin(Ahead learning) {
        ahead = learning;
    }

    /** Returns whether a path is a container's: one may be created under a name that was looked for before. */
    @Override
    public boolean makes(FilePath path) {
        return path.parent().equals(containers);
    }

    /** Returns true: a container may be removed, and another one made under its name. */
    @Override
    public boolean reusesNames() {
        return true;
    }

    @Override
    public void wasReplaced(FilePath path) {
        starts.forget(path);
    }

    @Override
    public boolean watchesReads() {
        return true;
    }

    @Override
    public void wasLookedUp(FilePath path) {
        wasUsed = true;
        starts.lookedUp(path);
    }

    @Override
    public void wasListed(FilePath directory) {
        wasUsed = true;
        starts.listed(directory);
    }

    @Override
    public void wasRead(FilePath path, long offset, int length) {
        starts.read(path, offset, length);
    }

    @Override
    public void tend() {
        if (!wasTended) {
            wasTended = true;
            served.accept(() -> !wasUsed);
        }
        starts.step();
    }
}
