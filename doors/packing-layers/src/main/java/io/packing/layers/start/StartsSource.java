package io.packing.layers.start;

import io.packing.blob.FilePath;
import io.packing.posix.TreeSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** Roots of containers that come to be, and what is read of them when they start. */
public final class StartsSource implements TreeSource {
    private final Optional<FilePath> containers;
    private final Function<Starts.Directories, Starts> make;
    private volatile Starts starts;
    private volatile Ahead ahead = directory -> {};
    private final Consumer<BooleanSupplier> served;
    private volatile boolean wasUsed;
    // Confined to the thread that tends.
    private boolean wasTended;

    /**
     * The roots below a directory.
     *
     * @param starts makes what knows their starts
     * @param served called once, after the kernel's requests began to be answered, with what tells whether it has asked for nothing yet
     */
    public StartsSource(
            FilePath containers, Function<Starts.Directories, Starts> starts, Consumer<BooleanSupplier> served) {
        this.served = served;
        this.containers = Optional.of(containers);
        this.make = starts;
        this.starts = starts.apply(directory -> ahead.learn(directory));
    }

    /** Knows nothing of the starts before any more. */
    void beginAnew() {
        starts = make.apply(directory -> ahead.learn(directory));
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
        wasUsed = true;
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
        if (!wasTended) {
            wasTended = true;
            served.accept(() -> !wasUsed);
        }
        starts.step();
    }
}
