// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.bdt.FileStatus;
import io.packing.blob.FilePath;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.oci.Digest;
import io.packing.registry.store.BlobContent;
import io.packing.registry.store.Blobs;
import io.packing.registry.store.Uploads;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The engine and the blobs of a registry, without its HTTP. */
final class DedupRig implements AutoCloseable {
    static final String REPOSITORY = "repo";
    /** The memory for reading ahead in pulls. */
    static final long MEMORY = 10L * ReadAhead.PIECE;

    final RegistryFiles files;
    final Layout layout = new Layout(new FilePath("/registry"));
    final ReadAhead readAhead;
    final Rebuilder rebuilder;
    final Blobs blobs;
    final Uploads uploads;
    private final ExecutorService threads = Executors.newFixedThreadPool(8);

    DedupRig(RegistryFiles files) {
        this(files, MEMORY);
    }

    /** @param readAhead bytes of memory for reading ahead in pulls */
    DedupRig(RegistryFiles files, long readAhead) {
        this.files = files;
        this.readAhead = new ReadAhead(threads, readAhead);
        this.rebuilder = new Rebuilder(files, layout, this.readAhead);
        this.blobs = new Blobs(files, layout, rebuilder, this.readAhead);
        this.uploads = new Uploads(files, layout, blobs, this.readAhead, DedupRig::id);
    }

    static String id() {
        return UUID.randomUUID().toString();
    }

    DedupEngine engine(DedupLimits limits) {
        return new DedupEngine(files, layout, rebuilder, threads, DedupRig::id, limits);
    }

    LayerTranslator translator(DedupLimits limits) {
        return translator(
                digest -> blobs.find(digest)
                        .orElseThrow(FileNotFoundException::new)
                        .open(0),
                limits);
    }

    LayerTranslator translator(LayerTranslator.Source source, DedupLimits limits) {
        return new LayerTranslator(files, layout, rebuilder, source, threads, DedupRig::id, limits);
    }

    Digest push(byte[] blob) throws Exception {
        Digest digest = Digest.Algorithm.SHA256.of(blob);
        uploads.finish(REPOSITORY, uploads.begin(REPOSITORY), Optional.empty(), new ByteArrayInputStream(blob), digest);
        return digest;
    }

    byte[] pull(Digest digest, long from) throws IOException {
        BlobContent blob = blobs.find(REPOSITORY, digest).orElseThrow();
        try (InputStream bytes = blob.open(from)) {
            return bytes.readAllBytes();
        }
    }

    boolean isRecipe(Digest digest) throws IOException {
        return files.stat(layout.recipe(digest)).isPresent()
                && files.stat(layout.original(digest)).isEmpty();
    }

    /** Returns the present shared contents. */
    List<FileStatus> contents() throws IOException {
        List<FileStatus> all = new ArrayList<>();
        for (FileStatus prefix : files.list(layout.files(), "", 1_000).orElse(List.of())) {
            all.addAll(files.list(prefix.path(), "", 1_000).orElse(List.of()));
        }
        return all;
    }

    /** Files that are on their way to somewhere. */
    List<FileStatus> scratch() throws IOException {
        return files.list(layout.scratch("-").parent().orElseThrow(), "", 1_000).orElse(List.of());
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
