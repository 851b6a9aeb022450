package io.packing.registry;

import io.packing.bdt.FileStatus;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.dedup.DedupEngine;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Finds blobs that nobody has looked at, since the registry that took them ended before it split them. Of all registries of a store
 * one does that in each interval: it is the one that replaced the claim, a file of the mount whose age all of them see.
 */
final class DedupSweep {
    /** What is done with a blob that was found. */
    interface Found {
        void blob(Digest digest) throws IOException;
    }

    private final RegistryFiles files;
    private final Layout layout;
    private final DedupEngine engine;
    private final Supplier<String> ids;
    private final LongSupplier millis;
    private final Duration every;

    /**
     * A sweep over a registry's blobs.
     *
     * @param ids gives names that nobody has
     * @param millis the time, milliseconds since the epoch
     * @param every how long after one sweep began the next may begin
     */
    DedupSweep(
            RegistryFiles files,
            Layout layout,
            DedupEngine engine,
            Supplier<String> ids,
            LongSupplier millis,
            Duration every) {
        this.files = files;
        this.layout = layout;
        this.engine = engine;
        this.ids = ids;
        this.millis = millis;
        this.every = every;
    }

    /** Sweeps, unless another registry did lately; returns whether this one did. */
    boolean step(Found found) throws IOException {
        if (!claim()) {
            return false;
        }
        new Tree(files, layout).below(layout.blobs(), 3, blob -> {
            Optional<Digest> digest = Layout.digestOfBlob(blob.path());
            if (digest.isPresent()
                    && engine.known(digest.get()).isEmpty()
                    && files.stat(layout.original(digest.get())).isPresent()) {
                found.blob(digest.get());
            }
        });
        return true;
    }

    private boolean claim() throws IOException {
        Optional<FileStatus> before = files.stat(layout.sweep());
        if (before.isPresent() && before.get().attributes().mtimeMillis() + every.toMillis() > millis.getAsLong()) {
            return false;
        }
        FilePath scratch = layout.scratch(ids.get());
        files.create(scratch).close();
        VectorBuilder claim =
                new VectorBuilder().unchanged(layout.sweep(), before).rename(scratch, layout.sweep(), true);
        if (files.apply(claim.build()) instanceof VectorResult.Applied) {
            return true;
        }
        VectorResult unused = files.apply(new VectorBuilder().delete(scratch).build());
        return false;
    }
}
