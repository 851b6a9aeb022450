// SPDX-License-Identifier: Apache-2.0
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
import io.packing.registry.translate.ImageTranslator;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Finds blobs that are not split, and images without a tree or another form, because the registry that took them ended
 * before it made these. One registry of a store looks in each interval: the one that replaced the claim, a file of the
 * mount whose age all of them see.
 */
final class PushSweep {
    /** Receives the unfinished blobs and manifests. */
    interface UnfinishedWork {
        void leftBlob(Digest digest) throws IOException;

        void leftManifest(String repository, Digest digest) throws IOException;
    }

    private final RegistryFiles files;
    private final Layout layout;
    private final Optional<DedupEngine> engine;
    private final Optional<ImageTrees> trees;
    private final Optional<ImageTranslator> translator;
    private final Supplier<String> ids;
    private final LongSupplier millis;
    private final Duration every;

    /**
     * Makes a sweep over a registry's blobs and images.
     *
     * @param engine empty: no blob is looked for
     * @param trees empty: images need none
     * @param translator empty: images need no other form
     * @param ids gives unique names
     * @param millis the time, milliseconds since the epoch
     * @param every how long after one sweep began the next may begin
     */
    PushSweep(
            RegistryFiles files,
            Layout layout,
            Optional<DedupEngine> engine,
            Optional<ImageTrees> trees,
            Optional<ImageTranslator> translator,
            Supplier<String> ids,
            LongSupplier millis,
            Duration every) {
        this.files = files;
        this.layout = layout;
        this.engine = engine;
        this.trees = trees;
        this.translator = translator;
        this.ids = ids;
        this.millis = millis;
        this.every = every;
    }

    /** Sweeps, unless another registry did lately; returns whether this one did. */
    boolean step(UnfinishedWork found) throws IOException {
        if (!claim()) {
            return false;
        }
        Tree tree = new Tree(files, layout);
        if (engine.isPresent()) {
            blobs(tree, engine.get(), found);
        }
        if (trees.isPresent() || translator.isPresent()) {
            manifests(tree, found);
        }
        return true;
    }

    private void blobs(Tree tree, DedupEngine by, UnfinishedWork found) throws IOException {
        tree.below(layout.blobs(), 3, blob -> {
            Optional<Digest> digest = Layout.digestOfBlob(blob.path());
            if (digest.isPresent()
                    && by.known(digest.get()).isEmpty()
                    && files.stat(layout.original(digest.get())).isPresent()) {
                found.leftBlob(digest.get());
            }
        });
    }

    private void manifests(Tree tree, UnfinishedWork found) throws IOException {
        tree.repositories(repository ->
                tree.below(layout.repository(repository).child(Layout.MANIFESTS), 2, manifest -> {
                    Optional<Digest> digest = Layout.digestOf(manifest.path());
                    if (digest.isPresent() && !isSettled(repository, digest.get())) {
                        found.leftManifest(repository, digest.get());
                    }
                }));
    }

    private boolean isSettled(String repository, Digest digest) throws IOException {
        return (trees.isEmpty() || trees.get().isSettled(repository, digest))
                && (translator.isEmpty() || translator.get().isSettled(repository, digest));
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
