// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.bdt.FileStatus;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.layers.OpenRegistry;
import io.packing.layers.tree.LayerException;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Tree;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The metadata images of a registry's images, one for each merged tree. A name has the form of the image and the SHA-256 of its
 * bytes, by which a machine checks what it got. Thread-safe; two processes that make one image do the work twice, and no harm.
 */
public final class MetadataImages {
    /** The form of images that this version makes and mounts: each file leads to its own path. */
    public static final String FORM = "1";

    private static final Logger LOG = LoggerFactory.getLogger(MetadataImages.class);
    private static final char MARK = '!';
    private static final String NONE = "none";
    private static final int MOST_FORMS = 1_000;

    private final OpenRegistry registry;

    /** @param registry the caller closes it after this */
    public MetadataImages(OpenRegistry registry) {
        this.registry = registry;
    }

    /**
     * An image in the registry.
     *
     * @param sha256 of the bytes that it should have, in hexadecimal digits
     */
    public record Stored(FilePath path, String sha256) {}

    private List<FileStatus> entries(String repository, Digest manifest) throws IOException {
        return registry
                .files()
                .list(registry.layout().metadata(repository, manifest), FORM + MARK, MOST_FORMS)
                .orElse(List.of())
                .stream()
                .filter(each -> each.path().name().startsWith(FORM + MARK))
                .toList();
    }

    /** Returns whether an image has its metadata image, or can have none. */
    public boolean isSettled(String repository, Digest manifest) throws IOException {
        return !entries(repository, manifest).isEmpty();
    }

    /** Returns the metadata image of an image; empty: it is not made yet, or cannot be. */
    public Optional<Stored> find(String repository, Digest manifest) throws IOException {
        for (FileStatus each : entries(repository, manifest)) {
            String hex = each.path().name().substring(FORM.length() + 1);
            if (hex.matches("[0-9a-f]{64}")) {
                return Optional.of(new Stored(each.path(), hex));
            }
        }
        return Optional.empty();
    }

    /** Writes the bytes of an image, which need not be those that its name says. The caller closes the stream. */
    public void copy(Stored image, OutputStream to) throws IOException {
        try (InputStream in = new FileBytes(registry.files().open(image.path()), 0)) {
            long unused = in.transferTo(to);
        }
    }

    /** Writes the first bytes of an image, or all of them if it has fewer. The caller closes the stream. */
    public void copyStart(Stored image, int most, OutputStream to) throws IOException {
        try (InputStream in = new FileBytes(registry.files().open(image.path()), 0)) {
            to.write(in.readNBytes(most));
        }
    }

    /** Deletes an image that is damaged, so that it is made again. */
    public void drop(Stored image) throws IOException {
        VectorResult unused =
                registry.files().apply(new VectorBuilder().delete(image.path()).build());
    }

    /** Makes the metadata image of an image whose merged tree is there, unless it is settled. */
    public void make(String repository, Digest manifest) throws IOException {
        if (isSettled(repository, manifest)) {
            return;
        }
        FilePath root = registry.layout().root(repository, manifest);
        FilePath directory = registry.layout().metadata(repository, manifest);
        FilePath scratch = registry.layout().scratch(OpenRegistry.id());
        VectorBuilder vector = new VectorBuilder()
                .present(registry.layout().content(repository, manifest))
                .directory(directory);
        try {
            String hex = write(root, scratch);
            vector.rename(scratch, directory.child(FORM + MARK + hex), true);
        } catch (LayerException e) {
            LOG.info(
                    "manifest {} of {} gets no metadata image, and its containers read it by FUSE: {}",
                    manifest,
                    repository,
                    e.getMessage());
            vector.directory(directory.child(FORM + MARK + NONE));
        }
        if (registry.files().apply(vector.build()) instanceof VectorResult.Refused
                && registry.files().stat(scratch).isPresent()) {
            // The image was deleted meanwhile.
            VectorResult unused =
                    registry.files().apply(new VectorBuilder().delete(scratch).build());
        }
    }

    private String write(FilePath root, FilePath scratch) throws IOException {
        MessageDigest sum = Digest.Algorithm.SHA256.hasher();
        PackingOutput out = registry.files().create(scratch);
        try {
            OutputStream summed = new DigestOutputStream(out, sum);
            TreeImage.write(registry.files(), new Tree(registry.files(), registry.layout()), root, summed);
            out.close();
        } catch (IOException | RuntimeException e) {
            out.abort();
            throw e;
        }
        return Digest.Algorithm.SHA256.of(sum).hex();
    }
}
