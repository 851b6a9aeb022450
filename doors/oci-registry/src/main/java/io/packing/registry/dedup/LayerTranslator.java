// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import com.github.luben.zstd.ZstdIOException;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.tar.NotATarException;
import io.packing.worker.api.PackingOutput;
import java.io.BufferedInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import java.util.zip.ZipException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes another form of a layer that its client compressed; the form stores each file once. The other form is a blob
 * with a digest of its own; its tar is that of the layer. Thread-safe; two that translate one layer do the work twice,
 * and no harm.
 */
public final class LayerTranslator {
    /** A layer in another form. */
    public static final class Translated {
        private final Digest blob;
        private final Digest tar;

        private Translated(Digest blob, Digest tar) {
            this.blob = blob;
            this.tar = tar;
        }

        /** Returns the digest of the other blob. */
        public Digest blob() {
            return blob;
        }

        /**
         * Returns the digest of the tar stream in both forms: an image's configuration lists it in {@code diff_ids}.
         */
        public Digest tar() {
            return tar;
        }
    }

    /** The bytes of a blob. */
    public interface Source {
        /** Opens a blob from the first byte on; {@link java.io.FileNotFoundException} when it is gone. */
        InputStream open(Digest digest) throws IOException;
    }

    private static final Logger LOG = LoggerFactory.getLogger(LayerTranslator.class);

    /** The name of the entry for a blob whose translation failed for good. */
    private static final String NOT_A_TAR = "not-a-tar";

    private static final char BETWEEN = '+';
    private static final int BUFFER = 256 << 10;

    private final RegistryFiles files;
    private final Layout layout;
    private final Rebuilder rebuilder;
    private final Source source;
    private final ExecutorService threads;
    private final Supplier<String> ids;
    private final DedupLimits limits;

    /**
     * Makes a translator over a registry's files.
     *
     * @param source of the layers
     * @param threads that store contents
     * @param ids gives unique names
     */
    public LayerTranslator(
            RegistryFiles files,
            Layout layout,
            Rebuilder rebuilder,
            Source source,
            ExecutorService threads,
            Supplier<String> ids,
            DedupLimits limits) {
        this.files = files;
        this.layout = layout;
        this.rebuilder = rebuilder;
        this.source = source;
        this.threads = threads;
        this.ids = ids;
        this.limits = limits;
    }

    /** Returns the layer in another form, and makes it unless it is there; empty: the layer never has this form. */
    public Optional<Translated> translate(Digest layer, LayerForm form) throws IOException {
        List<FileStatus> notes =
                files.list(layout.forms(layer, form.text()), "", 8).orElse(List.of());
        for (FileStatus note : notes) {
            Optional<Translated> known = read(note.path().name());
            if (known.isEmpty() || files.stat(layout.blob(known.get().blob())).isPresent()) {
                return known;
            }
            // It was collected as garbage, and is made again with its old digest.
        }
        try {
            Translated made = make(layer, form);
            note(layer, form, made.blob().hex() + BETWEEN + made.tar().hex());
            return Optional.of(made);
        } catch (NotATarException e) {
            note(layer, form, NOT_A_TAR);
        } catch (LayerLimitException e) {
            LOG.info("layer {} is not translated: {}", layer, e.getMessage());
            note(layer, form, e.found().text());
        }
        return Optional.empty();
    }

    private static Optional<Translated> read(String note) {
        int at = note.indexOf(BETWEEN);
        return at < 0
                ? Optional.empty()
                : Optional.of(new Translated(
                        new Digest(Digest.Algorithm.SHA256, note.substring(0, at)),
                        new Digest(Digest.Algorithm.SHA256, note.substring(at + 1))));
    }

    private void note(Digest layer, LayerForm form, String what) throws IOException {
        // The vector is refused when the layer is gone: then the entry is not needed.
        VectorResult unused = files.apply(new VectorBuilder()
                .present(layout.blob(layer))
                .directory(layout.forms(layer, form.text()).child(what))
                .build());
    }

    private Translated make(Digest layer, LayerForm form) throws IOException {
        FilePath steps = layout.scratch(ids.get());
        FilePath recipe = layout.scratch(ids.get());
        try {
            Cut cut = cut(layer, form, steps);
            join(new RecipeHeader(cut.length(), cut.length(), new BlobForm.Plain()), steps, recipe);
            prove(cut.digests(), form, recipe);
            place(cut, recipe);
            return cut.digests();
        } finally {
            discard(steps);
            discard(recipe);
        }
    }

    /**
     * A layer, cut.
     *
     * @param length of the blob
     * @param contents the hashes of contents that are stored elsewhere
     */
    private record Cut(Translated digests, long length, Set<String> contents) {}

    private Cut cut(Digest layer, LayerForm form, FilePath steps) throws IOException {
        try (InputStream blob = source.open(layer)) {
            ProvedBytes bytes = new ProvedBytes(blob, layer);
            Cut cut;
            try {
                cut = cut(bytes, limits.layer().tarBytes(length(layer)), form, steps);
            } catch (NotATarException | LayerLimitException e) {
                bytes.check();
                throw e;
            }
            bytes.check();
            return cut;
        }
    }

    private long length(Digest layer) throws IOException {
        Optional<FileStatus> original = files.stat(layout.original(layer));
        return original.isPresent() ? original.get().attributes().length() : rebuilder.length(layout.recipe(layer));
    }

    /** @param mostBytes of the tar */
    private Cut cut(ProvedBytes layer, long mostBytes, LayerForm form, FilePath steps) throws IOException {
        MessageDigest ofBlob = Digest.Algorithm.SHA256.hasher();
        FileContents contents = new FileContents(files, layout, ids);
        PendingContents pending = new PendingContents(contents, threads, DedupEngine.MOST_CONTENTS);
        TarBounds bounds = new TarBounds(mostBytes, false, limits.layer().entries());
        PackingOutput out = files.create(steps);
        RecipeWriter recipe = new RecipeWriter(out);
        try (CountedTar tar = new CountedTar(inflated(layer), mostBytes)) {
            long length;
            if (form == LayerForm.ZSTD) {
                try (FrameCut cut = new FrameCut(recipe, pending, Digest.Algorithm.SHA256.hasher(), ofBlob)) {
                    TarSplitter.split(tar, cut, bounds);
                    length = cut.finish();
                }
            } else {
                LayerCut cut = new LayerCut(recipe, contents, pending, Digest.Algorithm.SHA256.hasher());
                TarSplitter.split(tar, cut, bounds);
                length = tar.length();
            }
            Set<String> named = pending.finish();
            recipe.finish();
            out.close();
            Digest tarDigest = tar.digest();
            Digest blobDigest = form == LayerForm.ZSTD ? Digest.Algorithm.SHA256.of(ofBlob) : tarDigest;
            return new Cut(new Translated(blobDigest, tarDigest), length, named);
        } catch (ZipException | EOFException | ZstdIOException e) {
            pending.cancel();
            out.abort();
            throw new NotATarException("it is broken: " + e.getMessage());
        } catch (IOException | RuntimeException e) {
            pending.cancel();
            out.abort();
            throw e;
        } finally {
            recipe.release();
        }
    }

    private static InputStream inflated(InputStream blob) throws IOException {
        InputStream bytes = new BufferedInputStream(blob, BUFFER);
        LayerCompression compression = LayerCompression.of(bytes);
        if (compression == LayerCompression.NONE) {
            throw new NotATarException("it is compressed by neither gzip nor zstd");
        }
        return compression.tar(bytes);
    }

    /** Joins head and steps: a recipe begins with the length of the blob, which is known last. */
    private void join(RecipeHeader header, FilePath steps, FilePath recipe) throws IOException {
        PackingOutput out = files.create(recipe);
        try (InputStream in = new FileBytes(files.open(steps), 0)) {
            header.write(new DataOutputStream(out));
            long unused = in.transferTo(out);
            out.close();
        } catch (IOException | RuntimeException e) {
            out.abort();
            throw e;
        }
    }

    /** Proves that the recipe makes the blob, and that the tar in the blob is the one in the layer. */
    private void prove(Translated digests, LayerForm form, FilePath recipe) throws IOException {
        MessageDigest ofTar = Digest.Algorithm.SHA256.hasher();
        MessageDigest ofBlob = Digest.Algorithm.SHA256.hasher();
        byte[] buffer = new byte[BUFFER];
        try (InputStream tar = form.tar(new DigestInputStream(rebuilder.open(recipe, 0), ofBlob))) {
            for (int n = tar.read(buffer); n >= 0; n = tar.read(buffer)) {
                ofTar.update(buffer, 0, n);
            }
        }
        Digest tar = Digest.Algorithm.SHA256.of(ofTar);
        Digest blob = Digest.Algorithm.SHA256.of(ofBlob);
        if (!tar.equals(digests.tar()) || !blob.equals(digests.blob())) {
            throw new IOException("a layer in another form has digests %s and %s, and should have %s and %s"
                    .formatted(blob, tar, digests.blob(), digests.tar()));
        }
    }

    private void place(Cut cut, FilePath recipe) throws IOException {
        Digest digest = cut.digests().blob();
        VectorBuilder vector = new VectorBuilder().absent(layout.original(digest));
        // A content that was collected meanwhile must not be missed later.
        cut.contents().forEach(hex -> vector.present(layout.file(hex)));
        vector.directory(layout.blob(digest))
                .rename(recipe, layout.recipe(digest), false)
                .directory(layout.examined(digest).child(DedupCase.TRANSLATED.text()));
        if (files.apply(vector.build()) instanceof VectorResult.Refused refused
                && refused.reason() != Outcome.EXISTS
                && files.stat(layout.original(digest)).isEmpty()) {
            throw new IOException("blob %s cannot be put in its place: %s".formatted(digest, refused.reason()));
        }
    }

    private void discard(FilePath scratch) throws IOException {
        // The vector is refused when the file is gone, as it should be.
        VectorResult unused = files.apply(new VectorBuilder().delete(scratch).build());
    }
}
