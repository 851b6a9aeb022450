// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import io.packing.blob.FilePath;
import io.packing.registry.dedup.DedupCase;
import io.packing.registry.dedup.DedupEngine;
import io.packing.registry.dedup.DedupLimits;
import io.packing.registry.dedup.LayerForm;
import io.packing.registry.dedup.LayerTranslator;
import io.packing.registry.dedup.Rebuilder;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import io.packing.registry.gc.Collector;
import io.packing.registry.gc.GcOptions;
import io.packing.registry.gc.GcReport;
import io.packing.registry.oci.Digest;
import io.packing.registry.store.Blobs;
import io.packing.registry.store.Manifests;
import io.packing.registry.translate.ImageTranslator;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Occasional work on a registry's store, beside the registries that serve it. */
public final class RegistryUpkeep implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryUpkeep.class);
    private static final int THREADS = 16;

    private final RegistryFiles files;
    private final Layout layout;
    private final ReadAhead readAhead;
    private final Rebuilder rebuilder;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /**
     * Makes the upkeep of a registry.
     *
     * @param base the directory of the registry in the mount
     */
    public RegistryUpkeep(RegistryFiles files, FilePath base) {
        this.files = files;
        this.layout = new Layout(base);
        this.readAhead = new ReadAhead(threads, ReadAhead.defaultBytes());
        this.rebuilder = new Rebuilder(files, layout, readAhead);
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }

    /**
     * Removes objects that no tag reaches.
     *
     * @param millis the time, milliseconds since the epoch
     */
    public GcReport collect(LongSupplier millis, GcOptions rules) throws IOException {
        return new Collector(files, layout, rebuilder, RegistryUpkeep::id, millis, rules).run();
    }

    /** Splits unexamined blobs; returns the number of blobs of each case, with those examined before. */
    public Map<DedupCase, Long> dedup(DedupLimits limits) throws IOException {
        DedupEngine engine = new DedupEngine(files, layout, rebuilder, threads, RegistryUpkeep::id, limits);
        Map<DedupCase, Long> cases = new EnumMap<>(DedupCase.class);
        new Tree(files, layout).below(layout.blobs(), 3, blob -> {
            Optional<Digest> digest = Layout.digestOfBlob(blob.path());
            Optional<DedupCase> found = digest.isPresent() ? engine.examine(digest.get()) : Optional.empty();
            found.ifPresent(one -> cases.merge(one, 1L, Long::sum));
        });
        return cases;
    }

    /** Translates images that were not translated yet; returns the number of manifests of each result. */
    public Map<ImageTranslator.Result, Long> translate(LayerForm form) throws IOException {
        Blobs blobs = new Blobs(files, layout, rebuilder, readAhead);
        Manifests manifests = new Manifests(files, layout, RegistryUpkeep::id);
        LayerTranslator layers = new LayerTranslator(
                files, layout, rebuilder, blobs::stream, threads, RegistryUpkeep::id, DedupLimits.DEFAULT);
        ImageTranslator translator = new ImageTranslator(manifests, blobs, layers, form);
        Map<ImageTranslator.Result, Long> results = new EnumMap<>(ImageTranslator.Result.class);
        Tree tree = new Tree(files, layout);
        tree.repositories(repository ->
                tree.below(layout.repository(repository).child(Layout.MANIFESTS), 2, manifest -> {
                    Optional<Digest> digest = Layout.digestOf(manifest.path());
                    Optional<ImageTranslator.Result> result =
                            digest.isPresent() ? translate(translator, repository, digest.get()) : Optional.empty();
                    result.ifPresent(one -> results.merge(one, 1L, Long::sum));
                }));
        return results;
    }

    /**
     * Translates one manifest; empty: it is a translation. An image that cannot be read does not hold up the others.
     */
    private static Optional<ImageTranslator.Result> translate(
            ImageTranslator translator, String repository, Digest digest) {
        try {
            return translator.isUntaggedTranslation(repository, digest)
                    ? Optional.empty()
                    : Optional.of(translator.translate(repository, digest));
        } catch (IOException e) {
            LOG.warn("manifest {} of {} has no other form yet: it could not be made", digest, repository, e);
            return Optional.of(ImageTranslator.Result.FAILED);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
