// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.tree;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.fuse.Mode;
import io.packing.registry.dedup.LayerLimitException;
import io.packing.registry.dedup.LayerReader;
import io.packing.registry.dedup.OpenLayer;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.OciException;
import io.packing.registry.tar.NotATarException;
import io.packing.worker.api.PackingOutput;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The trees of a registry's layers. A tree is made once for all images, beside the layer's blob, and goes with it.
 * Clones of it stay. Thread-safe; two processes that make one tree do the work twice, and no harm.
 */
public final class LayerTrees {
    /** In the directory of a layer: its tree. */
    public static final String DIFF = "diff";
    /** The file for engines, as {@link LayerInfo}. */
    public static final String INFO = "info";
    /** The blob, if it is kept as it was pushed. */
    public static final String BLOB = "blob";
    /** The tree's {@link ExtendedAttributes}. */
    public static final String EXTENDED = "extended";

    public static final DirectoryAttributes DIRECTORY = new DirectoryAttributes("0", "0", 0755);
    private static final AttributeChange FILE =
            new AttributeChange(Optional.of("0"), Optional.of("0"), OptionalInt.of(0644));

    private static final Logger LOG = LoggerFactory.getLogger(LayerTrees.class);
    /** Reasons that are remembered. */
    private static final int MOST_REFUSED = 10_000;

    private static final int MOST_INFO_BYTES = 1 << 16;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final RegistryFiles files;
    private final Layout layout;
    private final LayerReader reader;
    private final Supplier<String> ids;
    private final Map<Digest, Object> locks = new ConcurrentHashMap<>();
    private final Map<Digest, String> refused = new ConcurrentHashMap<>();

    /** @param ids gives unique names */
    public LayerTrees(RegistryFiles files, Layout layout, LayerReader reader, Supplier<String> ids) {
        this.files = files;
        this.layout = layout;
        this.reader = reader;
        this.ids = ids;
    }

    /**
     * Returns the directory of a layer, with the entries that the constants name, and makes it if it is missing.
     *
     * @throws FileNotFoundException when the blob is missing
     * @throws LayerException when the blob is no layer, or beyond a limit
     */
    public FilePath directory(Digest digest) throws IOException {
        FilePath directory = layout.layer(digest);
        if (files.stat(directory).isPresent()) {
            return directory;
        }
        synchronized (locks.computeIfAbsent(digest, unused -> new Object())) {
            try {
                String why = refused.get(digest);
                if (why != null) {
                    throw new LayerException(why);
                }
                if (files.stat(layout.limit(digest)).isPresent()) {
                    throw LayerException.overLimit(
                            "blob %s gets no tree: it was found to be beyond a limit of layers".formatted(digest));
                }
                if (files.stat(directory).isEmpty()) {
                    make(digest, directory);
                }
            } finally {
                // A thread that waits for the lock finds the tree.
                Object unused = locks.remove(digest);
            }
        }
        return directory;
    }

    /**
     * Returns the digest of a layer's tar stream, as it was computed from the layer's bytes.
     *
     * @throws FileNotFoundException when the layer has no tree
     */
    public Digest diff(Digest layer) throws IOException {
        FilePath info = layout.layer(layer).child(INFO);
        if (files.stat(info).isEmpty()) {
            throw new FileNotFoundException("the layer %s has no tree".formatted(layer));
        }
        LayerInfo read = JSON.readValue(FileBytes.all(files.open(info), MOST_INFO_BYTES), LayerInfo.class);
        try {
            return Digest.parse(read.diffDigest());
        } catch (OciException e) {
            throw new IOException("%s: %s".formatted(info, e.getMessage()), e);
        }
    }

    /** Remembers why a blob has no tree, so that it is not read for the next image that names it. */
    private void refuse(Digest digest, String why) {
        if (refused.size() >= MOST_REFUSED) {
            refused.clear();
        }
        refused.put(digest, why);
    }

    /** Says so in the mount, for all registries: to find it out again costs as much as the limits allow. */
    private LayerException overLimit(Digest digest, String why) throws IOException {
        VectorResult unused = files.apply(new VectorBuilder()
                .present(layout.blob(digest))
                .directory(layout.limit(digest))
                .build());
        LOG.warn("blob {} gets no tree, and is served as it was pushed: {}", digest, why);
        return LayerException.overLimit("blob %s gets no tree: %s".formatted(digest, why));
    }

    private void make(Digest digest, FilePath directory) throws IOException {
        FilePath scratch = layout.scratch(ids.get());
        boolean placed = false;
        try (OpenLayer layer = reader.open(digest)) {
            LayerEntries entries = LayerParser.parse(layer.tar());
            new TreeWriter(files, layout, ids, scratch.child(DIFF)).write(entries);
            write(scratch.child(INFO), JSON.writeValueAsBytes(LayerInfo.of(digest, layer)));
            write(scratch.child(EXTENDED), new ExtendedAttributes(entries.extended()).encode());
            placed = place(digest, scratch, directory);
            LOG.info(
                    "layer {} is a tree of {} files and {} directories",
                    digest,
                    entries.count(Mode.REGULAR),
                    entries.count(Mode.DIRECTORY));
        } catch (LayerLimitException e) {
            throw overLimit(digest, String.valueOf(e.getMessage()));
        } catch (NotATarException | LayerException e) {
            if (e instanceof LayerException layer && layer.isOverLimit()) {
                throw overLimit(digest, String.valueOf(e.getMessage()));
            }
            String why = "blob %s is no layer: %s".formatted(digest, e.getMessage());
            refuse(digest, why);
            LOG.warn(why);
            throw new LayerException(why);
        } finally {
            if (!placed && files.stat(scratch).isPresent()) {
                VectorResult unused =
                        files.apply(new VectorBuilder().delete(scratch).build());
            }
        }
    }

    private void write(FilePath path, byte[] bytes) throws IOException {
        PackingOutput out = files.create(path);
        try {
            out.write(bytes);
            out.close();
        } catch (IOException | RuntimeException e) {
            out.abort();
            throw e;
        }
    }

    /** Puts the directory in its place; returns false if another server was faster. */
    private boolean place(Digest digest, FilePath scratch, FilePath directory) throws IOException {
        Optional<FileStatus> original = files.stat(layout.original(digest));
        VectorBuilder vector =
                new VectorBuilder().present(layout.blob(digest)).add(new Operation.SetAttributes(scratch, owner()));
        for (String file : new String[] {INFO, EXTENDED}) {
            vector.add(new Operation.SetAttributes(scratch.child(file), FILE));
        }
        if (original.isPresent()) {
            vector.unchanged(original.get())
                    .add(new Operation.CloneFile(original.get().path(), scratch.child(BLOB), false, FILE));
        }
        vector.absent(directory).rename(scratch, directory, false);
        if (files.apply(vector.build()) instanceof VectorResult.Refused refused) {
            if (files.stat(directory).isPresent()) {
                return false;
            }
            throw new FileNotFoundException(
                    "blob %s was changed while its tree was made: %s; try again".formatted(digest, refused.reason()));
        }
        return true;
    }

    private static AttributeChange owner() {
        return new AttributeChange(
                Optional.of(DIRECTORY.owner()), Optional.of(DIRECTORY.group()), OptionalInt.of(DIRECTORY.mode()));
    }
}
