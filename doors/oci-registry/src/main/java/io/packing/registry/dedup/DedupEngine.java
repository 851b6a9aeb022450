// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.bdt.FileStatus;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.tar.NotATarException;
import io.packing.registry.tar.TarReader;
import io.packing.worker.api.PackingInput;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes recipes of blobs that are tars (§4.2.1). A blob is replaced only after its recipe made bytes with the blob's
 * digest. Thread-safe; two that examine one blob do the work twice, and no harm.
 */
public final class DedupEngine {
    /** Contents of a layer that one vector can check. */
    static final int MOST_CONTENTS = 90_000;

    private static final Logger LOG = LoggerFactory.getLogger(DedupEngine.class);
    private static final int BUFFER = 256 << 10;

    private final RegistryFiles files;
    private final Layout layout;
    private final Rebuilder rebuilder;
    private final LayerCutter cutter;
    private final Supplier<String> ids;
    private final DedupLimits limits;
    private final Optional<LayerNodes> nodes;
    private final NodeSplit split;

    /**
     * Makes an engine over a registry's files.
     *
     * @param threads that store contents
     * @param ids gives unique names
     */
    public DedupEngine(
            RegistryFiles files,
            Layout layout,
            Rebuilder rebuilder,
            ExecutorService threads,
            Supplier<String> ids,
            DedupLimits limits) {
        this(files, layout, rebuilder, threads, ids, limits, Optional.empty());
    }

    /**
     * Makes an engine over a registry's files, and its nodes.
     *
     * @param threads that store contents
     * @param ids gives unique names
     * @param nodes get whole blobs and contents; empty: contents stay in the mount, and so do blobs that are not split
     */
    public DedupEngine(
            RegistryFiles files,
            Layout layout,
            Rebuilder rebuilder,
            ExecutorService threads,
            Supplier<String> ids,
            DedupLimits limits,
            Optional<LayerNodes> nodes) {
        this.files = files;
        this.layout = layout;
        this.rebuilder = rebuilder;
        this.cutter = nodes.isPresent()
                ? new LayerCutter(files, new UnstoredContents(), threads, MOST_CONTENTS)
                : new LayerCutter(files, layout, threads, ids, MOST_CONTENTS);
        this.ids = ids;
        this.limits = limits;
        this.nodes = nodes;
        this.split = new NodeSplit(files, layout, rebuilder);
    }

    /** Returns an earlier finding on a blob; empty if the blob is unexamined. */
    public Optional<DedupCase> known(Digest digest) throws IOException {
        Optional<List<FileStatus>> marks = files.list(layout.examined(digest), "", 1);
        return marks.flatMap(page -> page.stream().findFirst())
                .flatMap(mark -> DedupCase.of(mark.path().name()));
    }

    /** Looks at a blob, and makes it a recipe when that gives its bytes back; empty: it is gone. */
    public Optional<DedupCase> examine(Digest digest) throws IOException {
        Optional<DedupCase> known = known(digest);
        if (known.isPresent()) {
            return known;
        }
        Optional<FileStatus> original = files.stat(layout.original(digest));
        if (original.isEmpty()) {
            return Optional.empty();
        }
        try (PackingInput blob = files.open(layout.original(digest))) {
            DedupCase found = nodes.isPresent()
                    ? moveToNodes(nodes.get(), digest, original.get(), blob)
                    : examine(digest, original.get(), blob);
            if (!found.isShared() && nodes.isEmpty()) {
                note(digest, found);
            }
            return Optional.of(found);
        } catch (FileNotFoundException e) {
            // Another registry was faster, or the blob was deleted.
            return known(digest);
        }
    }

    /** Gives a blob to the nodes: whole as often as the mode wants, and split, or as one content where it cannot be. */
    private DedupCase moveToNodes(LayerNodes to, Digest digest, FileStatus original, PackingInput blob)
            throws IOException {
        to.storeWhole(digest, blob.attributes().length(), () -> bytes(blob));
        DedupCase found = to.splitReplicas() > 0 ? examine(digest, original, blob) : DedupCase.ALL_WHOLE;
        if (!found.isShared()) {
            FilePath scratch = layout.scratch(ids.get());
            split.writeWhole(digest, blob.attributes().length(), () -> bytes(blob), scratch);
            if (to.splitReplicas() > 0 && !isProvedAtNodes(to, digest, blob, scratch)) {
                discard(scratch);
                throw new IOException("blob %s came back from its nodes with other bytes".formatted(digest));
            }
            replace(digest, original, scratch, found, Set.of());
        }
        return found;
    }

    private static InputStream bytes(PackingInput blob) {
        return new BufferedInputStream(FileBytes.leavingOpen(blob, 0), ReadAhead.PIECE);
    }

    /** Sends the contents that a recipe names to nodes, and tries it. */
    private boolean isProvedAtNodes(LayerNodes to, Digest digest, PackingInput blob, FilePath recipe)
            throws IOException {
        try {
            LayerNodes.Placing placing = to.place(rebuilder.lengths(recipe));
            split.send(recipe, () -> bytes(blob), placing);
            placing.finish();
            return digestOf(digest.algorithm(), recipe).equals(digest);
        } catch (IOException | RuntimeException e) {
            discard(recipe);
            throw e;
        }
    }

    private DedupCase examine(Digest digest, FileStatus original, PackingInput blob) throws IOException {
        long length = blob.attributes().length();
        byte[] start = new byte[(int) Math.min(length, TarReader.BLOCK)];
        if (start.length > 0 && blob.read(0, ByteBuffer.wrap(start)) < start.length) {
            throw new IOException("blob %s ended early".formatted(digest));
        }
        LayerCompression compression = LayerCompression.of(start);
        if (compression == LayerCompression.ZSTD) {
            return DedupCase.ZSTD_KEPT;
        }
        if (length > limits.bytes()) {
            LOG.info("blob {} stays as it was pushed: it has {} bytes, more than the limit", digest, length);
            return DedupCase.TOO_LARGE;
        }
        if (compression == LayerCompression.NONE) {
            return share(digest, original, blob, 0, new RecipeHeader(length, length, new BlobForm.Plain()));
        }
        if (!limits.gzip()) {
            return DedupCase.GZIP_KEPT;
        }
        Optional<GzipProof.Found> proof;
        try {
            proof = new GzipProof(blob, limits.layer().tarBytes(length)).prove();
        } catch (LayerLimitException e) {
            return tooMuch(digest, e);
        }
        if (proof.isEmpty()) {
            return DedupCase.GZIP_KEPT;
        }
        BlobForm.Gzip form = proof.get().form();
        return share(
                digest,
                original,
                blob,
                form.header().length(),
                new RecipeHeader(length, proof.get().tarLength(), form));
    }

    private static DedupCase tooMuch(Digest digest, LayerLimitException why) {
        LOG.info("blob {} stays as it was pushed: {}", digest, why.getMessage());
        return why.found();
    }

    /** Writes the recipe and the contents, tries the recipe, and lets it take the place of the blob. */
    private DedupCase share(Digest digest, FileStatus original, PackingInput blob, long from, RecipeHeader header)
            throws IOException {
        FilePath scratch = layout.scratch(ids.get());
        ProvedBytes bytes = new ProvedBytes(FileBytes.leavingOpen(blob, 0), digest);
        Set<String> contents;
        try {
            contents = cut(bytes, from, header, scratch);
        } catch (NotATarException e) {
            bytes.check();
            return DedupCase.NOT_A_TAR;
        } catch (LayerLimitException e) {
            bytes.check();
            return tooMuch(digest, e);
        }
        try {
            bytes.check();
        } catch (IOException e) {
            discard(scratch);
            throw e;
        }
        boolean isProved = nodes.isPresent()
                ? isProvedAtNodes(nodes.get(), digest, blob, scratch)
                : digestOf(digest.algorithm(), scratch).equals(digest);
        if (!isProved) {
            discard(scratch);
            return DedupCase.UNPROVED;
        }
        DedupCase found = header.form() instanceof BlobForm.Gzip ? DedupCase.GZIP_REBUILT : DedupCase.TAR;
        replace(digest, original, scratch, found, nodes.isPresent() ? Set.of() : contents);
        return found;
    }

    /**
     * Lets a recipe take the place of a blob.
     *
     * @param contents that must be in the mount
     */
    private void replace(Digest digest, FileStatus original, FilePath scratch, DedupCase found, Set<String> contents)
            throws IOException {
        VectorBuilder vector = new VectorBuilder().unchanged(original);
        // A content that was collected meanwhile must not be missed later.
        contents.forEach(hex -> vector.present(layout.file(hex)));
        vector.rename(scratch, layout.recipe(digest), false)
                .delete(layout.original(digest))
                .directory(layout.examined(digest).child(found.text()));
        if (files.apply(vector.build()) instanceof VectorResult.Refused refused) {
            discard(scratch);
            throw new FileNotFoundException(
                    "blob %s was changed while it was split: %s".formatted(digest, refused.reason()));
        }
    }

    private Set<String> cut(ProvedBytes blob, long from, RecipeHeader header, FilePath scratch) throws IOException {
        Inflater inflater = new Inflater(true);
        try {
            InputStream bytes = new BufferedInputStream(blob, ReadAhead.PIECE);
            bytes.skipNBytes(from);
            LayerCompression compression =
                    header.form() instanceof BlobForm.Gzip ? LayerCompression.GZIP : LayerCompression.NONE;
            return cutter.cut(
                    header.form() instanceof BlobForm.Gzip
                            ? new BufferedInputStream(new InflaterInputStream(bytes, inflater, BUFFER), BUFFER)
                            : bytes,
                    TarBounds.of(limits.layer(), compression, header.length()),
                    header,
                    scratch);
        } finally {
            inflater.end();
        }
    }

    private Digest digestOf(Digest.Algorithm algorithm, FilePath recipe) throws IOException {
        MessageDigest hasher = algorithm.hasher();
        byte[] buffer = new byte[BUFFER];
        try (InputStream rebuilt = rebuilder.open(recipe, 0)) {
            for (int n = rebuilt.read(buffer); n >= 0; n = rebuilt.read(buffer)) {
                hasher.update(buffer, 0, n);
            }
        }
        return algorithm.of(hasher);
    }

    private void note(Digest digest, DedupCase found) throws IOException {
        VectorResult unused = files.apply(new VectorBuilder()
                .present(layout.blob(digest))
                .directory(layout.examined(digest).child(found.text()))
                .build());
    }

    private void discard(FilePath scratch) throws IOException {
        VectorResult unused = files.apply(new VectorBuilder().delete(scratch).build());
    }
}
