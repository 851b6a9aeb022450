// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.blob.FilePath;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.oci.Digest;
import io.packing.registry.tar.NotATarException;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/** Writes recipes of tar streams, and stores the contents that they name. Thread-safe. */
final class LayerCutter {
    private final RegistryFiles files;
    private final ContentStore contents;
    private final ExecutorService threads;
    private final int mostContents;

    /**
     * Makes a cutter.
     *
     * @param threads that store contents
     * @param ids gives unique names
     * @param mostContents different ones of a layer
     */
    LayerCutter(RegistryFiles files, Layout layout, ExecutorService threads, Supplier<String> ids, int mostContents) {
        this(files, new FileContents(files, layout, ids), threads, mostContents);
    }

    /**
     * Makes a cutter that gives contents to a store.
     *
     * @param threads that store contents
     * @param mostContents different ones of a layer
     */
    LayerCutter(RegistryFiles files, ContentStore contents, ExecutorService threads, int mostContents) {
        this.files = files;
        this.contents = contents;
        this.threads = threads;
        this.mostContents = mostContents;
    }

    /**
     * Cuts a whole stream; returns the hashes of its contents.
     *
     * @throws NotATarException when it is no tar
     * @throws LayerLimitException when it is beyond a limit; nothing but contents of files is left then
     */
    Set<String> cut(InputStream tar, TarBounds bounds, RecipeHeader header, FilePath recipePath) throws IOException {
        PackingOutput out = files.create(recipePath);
        RecipeWriter recipe = new RecipeWriter(out);
        PendingContents pending = new PendingContents(contents, threads, mostContents);
        LayerCut cut = new LayerCut(recipe, contents, pending, Digest.Algorithm.SHA256.hasher());
        try {
            recipe.begin(header);
            TarSplitter.split(tar, cut, bounds);
            Set<String> named = pending.finish();
            recipe.finish();
            out.close();
            return named;
        } catch (IOException | RuntimeException e) {
            pending.cancel();
            out.abort();
            throw e;
        } finally {
            recipe.release();
        }
    }
}
