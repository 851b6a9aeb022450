package io.packing.registry.dedup;

import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.files.BulkInputStream;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.ReadAhead;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
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

    /**
     * A reader over a registry's files.
     *
     * @param threads that store contents
     * @param ids gives names that nobody has
     */
    public LayerReader(
            RegistryFiles files, Layout layout, Rebuilder rebuilder, ExecutorService threads, Supplier<String> ids) {
        this.files = files;
        this.layout = layout;
        this.rebuilder = rebuilder;
        this.cutter = new LayerCutter(files, layout, threads, ids);
        this.ids = ids;
    }

    /**
     * Opens a layer; {@link FileNotFoundException} when there is no such blob.
     *
     * @throws NotATarException when the blob is no tar, nor one that was gzipped
     */
    public OpenLayer open(Digest digest) throws IOException {
        FilePath original = layout.original(digest);
        Optional<Long> length =
                files.stat(original).map(status -> status.attributes().length());
        if (length.isPresent()) {
            try {
                return ofOriginal(digest, original, length.get());
            } catch (FileNotFoundException e) {
                // Its recipe may have taken its place meanwhile.
                return ofRecipe(digest);
            }
        }
        return ofRecipe(digest);
    }

    private OpenLayer ofRecipe(Digest digest) throws IOException {
        RecipeReader recipe = new RecipeReader(new FileBytes(files.open(layout.recipe(digest)), 0));
        try {
            RecipeHeader header = recipe.header();
            boolean gzip = header.form() instanceof BlobForm.Gzip;
            return new OpenLayer(
                    new LayerTar(recipe, () -> {}), tarDigest(digest, gzip), header.tarLength(), header.length(), gzip);
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
                Hashed tar = new Hashed(gzip ? new GZIPInputStream(blob, BUFFER) : blob)) {
            byte[] buffer = new byte[BUFFER];
            for (int n = tar.read(buffer, 0, BUFFER); n >= 0; n = tar.read(buffer, 0, BUFFER)) {}
            return tar.digest();
        }
    }

    private OpenLayer ofOriginal(Digest digest, FilePath original, long length) throws IOException {
        try (InputStream blob =
                new BufferedInputStream(new FileBytes(files.open(original), 0), Math.max(BUFFER, ReadAhead.PIECE))) {
            blob.mark(2);
            boolean gzip = blob.read() == 0x1f && blob.read() == 0x8b;
            blob.reset();
            Hashed tar = new Hashed(gzip ? new BufferedInputStream(new GZIPInputStream(blob, BUFFER), BUFFER) : blob);
            FilePath scratch = layout.scratch(ids.get());
            Set<String> unused = cutter.cut(tar, new RecipeHeader(length, length, new BlobForm.Plain()), scratch);
            return new OpenLayer(ofScratch(scratch), tar.digest(), tar.length(), length, gzip);
        } catch (ZipException e) {
            throw new NotATarException("blob %s cannot be inflated: %s".formatted(digest, e.getMessage()));
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

    /** Hashes what is read through it. */
    private static final class Hashed extends BulkInputStream {
        private final InputStream in;
        private final MessageDigest hasher = Digest.Algorithm.SHA256.hasher();
        private long length;

        Hashed(InputStream in) {
            this.in = in;
        }

        @Override
        public int read(byte[] into, int offset, int count) throws IOException {
            int n = in.read(into, offset, count);
            if (n > 0) {
                hasher.update(into, offset, n);
                length += n;
            }
            return n;
        }

        long length() {
            return length;
        }

        Digest digest() {
            return Digest.Algorithm.SHA256.of(hasher);
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
