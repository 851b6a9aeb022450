// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import com.github.luben.zstd.ZstdIOException;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.tar.NotATarException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.zip.ZipException;

/**
 * Opens layers of a registry for their entries, in whatever form they are kept. The contents of one that is no recipe are stored
 * first, each under its hash as those of recipes are, so that they are there without the layer. Thread-safe.
 */
public final class LayerReader {
    private static final int BUFFER = 256 << 10;

    private final RegistryFiles files;
    private final Layout layout;
    private final Rebuilder rebuilder;
    private final LayerCutter cutter;
    private final Supplier<String> ids;
    private final LayerLimits limits;

    /**
     * Makes a reader over a registry's files.
     *
     * @param threads that store contents
     * @param ids gives unique names
     */
    public LayerReader(
            RegistryFiles files,
            Layout layout,
            Rebuilder rebuilder,
            ExecutorService threads,
            Supplier<String> ids,
            LayerLimits limits) {
        this.files = files;
        this.layout = layout;
        this.rebuilder = rebuilder;
        this.cutter = new LayerCutter(files, layout, threads, ids, limits.entries());
        this.ids = ids;
        this.limits = limits;
    }

    /**
     * Opens a layer; {@link FileNotFoundException} when the blob is missing.
     *
     * @throws NotATarException when the blob is no tar, nor one that was compressed by gzip or zstd
     * @throws LayerLimitException when the tar in it is beyond a limit
     */
    public OpenLayer open(Digest digest) throws IOException {
        FilePath original = layout.original(digest);
        Optional<Long> length =
                files.stat(original).map(status -> status.attributes().length());
        if (length.isPresent()) {
            try {
                return ofBytes(digest, new FileBytes(files.open(original), 0), length.get());
            } catch (FileNotFoundException e) {
                // Its recipe may have taken its place meanwhile.
                return ofRecipe(digest);
            }
        }
        return ofRecipe(digest);
    }

    private OpenLayer ofRecipe(Digest digest) throws IOException {
        FilePath path = layout.recipe(digest);
        RecipeReader recipe = new RecipeReader(new FileBytes(files.open(path), 0));
        try {
            RecipeHeader header = recipe.header();
            LayerTar tar = new LayerTar(recipe, () -> {});
            if (LayerCompression.of(tar.start()) == LayerCompression.ZSTD) {
                // Of frames, whose contents are no files.
                recipe.close();
                return ofBytes(digest, rebuilder.open(path, 0), header.length());
            }
            boolean gzip = header.form() instanceof BlobForm.Gzip;
            return new OpenLayer(
                    tar,
                    tarDigest(digest, gzip),
                    header.tarLength(),
                    header.length(),
                    gzip ? LayerCompression.GZIP : LayerCompression.NONE);
        } catch (IOException | RuntimeException e) {
            recipe.close();
            throw e;
        }
    }

    private Digest tarDigest(Digest digest, boolean gzip) throws IOException {
        if (!gzip && digest.algorithm() == Digest.Algorithm.SHA256) {
            return digest;
        }
        try (InputStream blob = rebuilder.open(layout.recipe(digest), 0);
                CountedTar tar = new CountedTar(
                        (gzip ? LayerCompression.GZIP : LayerCompression.NONE).tar(blob), Long.MAX_VALUE)) {
            byte[] buffer = new byte[BUFFER];
            for (int n = tar.read(buffer, 0, BUFFER); n >= 0; n = tar.read(buffer, 0, BUFFER)) {}
            return tar.digest();
        }
    }

    /** @param bytes of the blob; closed here */
    private OpenLayer ofBytes(Digest digest, InputStream bytes, long length) throws IOException {
        try (bytes) {
            ProvedBytes proved = new ProvedBytes(bytes, digest);
            InputStream blob = new BufferedInputStream(proved, Math.max(BUFFER, ReadAhead.PIECE));
            LayerCompression compression = LayerCompression.of(blob);
            FilePath scratch = layout.scratch(ids.get());
            TarBounds bounds = TarBounds.of(limits, compression, length);
            try (CountedTar tar = new CountedTar(compression.tar(blob), bounds.bytes())) {
                Set<String> unused =
                        cutter.cut(tar, bounds, new RecipeHeader(length, length, new BlobForm.Plain()), scratch);
                check(proved, scratch);
                return new OpenLayer(ofScratch(scratch), tar.digest(), tar.length(), length, compression);
            } catch (NotATarException | LayerLimitException e) {
                proved.check();
                throw e;
            } catch (ZipException | ZstdIOException | EOFException e) {
                proved.check();
                throw new NotATarException("blob %s cannot be inflated: %s".formatted(digest, e.getMessage()));
            }
        }
    }

    private void check(ProvedBytes proved, FilePath scratch) throws IOException {
        try {
            proved.check();
        } catch (IOException e) {
            discard(scratch);
            throw e;
        }
    }

    private LayerTar ofScratch(FilePath scratch) throws IOException {
        try {
            RecipeReader recipe = new RecipeReader(new FileBytes(files.open(scratch), 0));
            try {
                return new LayerTar(recipe, () -> discard(scratch));
            } catch (IOException | RuntimeException e) {
                recipe.close();
                throw e;
            }
        } catch (IOException | RuntimeException e) {
            discard(scratch);
            throw e;
        }
    }

    private void discard(FilePath scratch) throws IOException {
        VectorResult unused = files.apply(new VectorBuilder().delete(scratch).build());
    }
}
