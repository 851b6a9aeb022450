package io.packing.registry;

import io.packing.blob.FilePath;
import io.packing.registry.dedup.DedupCase;
import io.packing.registry.dedup.DedupEngine;
import io.packing.registry.dedup.DedupLimits;
import io.packing.registry.dedup.Rebuilder;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.Tree;
import io.packing.registry.gc.Collector;
import io.packing.registry.gc.GcReport;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/** What is done to a registry's store now and then, beside the registries that serve it. */
public final class RegistryUpkeep implements AutoCloseable {
    private static final int THREADS = 16;

    private final RegistryFiles files;
    private final Layout layout;
    private final Rebuilder rebuilder;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /**
     * Upkeep of a registry.
     *
     * @param base the directory of the registry in the mount
     */
    public RegistryUpkeep(RegistryFiles files, FilePath base) {
        this.files = files;
        this.layout = new Layout(base);
        this.rebuilder = new Rebuilder(files, layout, new ReadAhead(threads, ReadAhead.defaultBytes()));
    }

    private static String id() {
        return UUID.randomUUID().toString();
    }

    /**
     * Removes what no tag reaches.
     *
     * @param millis the time, milliseconds since the epoch
     * @param grace what is younger stays
     * @param dryRun whether nothing is changed
     */
    public GcReport collect(LongSupplier millis, Duration grace, boolean dryRun) throws IOException {
        return new Collector(files, layout, rebuilder, RegistryUpkeep::id, millis, grace, dryRun).run();
    }

    /** Splits blobs at which nobody looked yet; returns how many blobs there are of each case, also from before. */
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

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
