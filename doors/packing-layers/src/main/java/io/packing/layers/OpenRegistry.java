// SPDX-License-Identifier: Apache-2.0
package io.packing.layers;

import io.packing.blob.FilePath;
import io.packing.layers.tree.LayerTrees;
import io.packing.registry.dedup.DedupEngine;
import io.packing.registry.dedup.DedupLimits;
import io.packing.registry.dedup.LayerLimits;
import io.packing.registry.dedup.LayerReader;
import io.packing.registry.dedup.Rebuilder;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.store.Blobs;
import io.packing.registry.store.Chains;
import io.packing.registry.store.Manifests;
import io.packing.registry.store.Uploads;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The parts of a registry that layers are read from and written to, in this process, without its HTTP. */
public final class OpenRegistry implements AutoCloseable {
    private static final int THREADS = 16;

    private final ExecutorService threads;
    private final RegistryFiles files;
    private final Layout layout;
    private final LayerTrees trees;
    private final Manifests manifests;
    private final Chains chains;
    private final Uploads uploads;
    private final Blobs blobs;
    private final DedupEngine engine;

    /**
     * Opens the registry below a directory of a mount.
     *
     * @param files of the mount; the caller closes it after this
     */
    public OpenRegistry(RegistryFiles files, FilePath base) {
        this.threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "layers");
            thread.setDaemon(true);
            return thread;
        });
        this.files = files;
        this.layout = new Layout(base);
        ReadAhead readAhead = new ReadAhead(threads, ReadAhead.defaultBytes());
        Rebuilder rebuilder = new Rebuilder(files, layout, readAhead);
        LayerReader reader = new LayerReader(files, layout, rebuilder, threads, OpenRegistry::id, LayerLimits.DEFAULT);
        this.trees = new LayerTrees(files, layout, reader, OpenRegistry::id);
        this.manifests = new Manifests(files, layout, OpenRegistry::id);
        this.chains = new Chains(files, layout);
        this.blobs = new Blobs(files, layout, rebuilder, readAhead);
        this.uploads = new Uploads(files, layout, blobs, readAhead, OpenRegistry::id);
        this.engine = new DedupEngine(files, layout, rebuilder, threads, OpenRegistry::id, DedupLimits.DEFAULT);
    }

    /** Returns a new unique name. */
    public static String id() {
        return UUID.randomUUID().toString();
    }

    public RegistryFiles files() {
        return files;
    }

    public Layout layout() {
        return layout;
    }

    public LayerTrees trees() {
        return trees;
    }

    public Manifests manifests() {
        return manifests;
    }

    public Chains chains() {
        return chains;
    }

    public Uploads uploads() {
        return uploads;
    }

    public Blobs blobs() {
        return blobs;
    }

    public DedupEngine engine() {
        return engine;
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
