package io.packing.layers.root;

import io.packing.bdt.Bdt;
import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.bdt.tree.Difference;
import io.packing.bdt.tree.TreeDiff;
import io.packing.blob.FilePath;
import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.layers.tree.LayerTrees;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Manifest;
import io.packing.registry.store.StoredManifest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Writable roots of containers, by name. A root is a clone of its image's, O(1); what a container writes is its own, and what it
 * does not write is there once for all. A push writes the differences as one more layer of the image.
 */
public final class Containers {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,127}");
    /** In the directory of a container: what it was made of, which nobody changes. */
    private static final String BASE = "base";
    /** The manifest of its image. */
    private static final String IMAGE = "image";

    private final OpenRegistry registry;
    private final Bdt bdt;
    private final ImageRoots roots;

    /** @param bdt the table of the registry's mount */
    public Containers(OpenRegistry registry, Bdt bdt) {
        this.registry = registry;
        this.bdt = bdt;
        this.roots = new ImageRoots(registry);
    }

    /** Where the root of a container is; it need not be there. */
    public FilePath root(String name) {
        return directory(name).child(Layout.ROOT);
    }

    private FilePath directory(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "'%.200s' is no name of a container: letters, digits and _.- are, 128 at most".formatted(name));
        }
        return registry.layout().container(name);
    }

    /** Whether there is a container of this name. */
    public boolean exists(String name) throws IOException {
        return registry.files().stat(directory(name)).isPresent();
    }

    /** Makes a container of an image; returns its root. */
    public FilePath create(String name, ImageName imageName) throws IOException {
        FilePath directory = directory(name);
        Image image = Image.find(registry, imageName);
        FilePath root = roots.root(image);
        VectorResult made = registry.files()
                .apply(new VectorBuilder()
                        .absent(directory)
                        .add(new Operation.MakeDirectory(directory, LayerTrees.DIRECTORY, true))
                        .add(new Operation.CloneDirectory(root, directory.child(BASE)))
                        .add(new Operation.CloneDirectory(root, directory.child(Layout.ROOT)))
                        .cloneFile(
                                registry.layout()
                                        .content(
                                                image.repository(),
                                                image.stored().digest()),
                                directory.child(IMAGE))
                        .build());
        if (made instanceof VectorResult.Refused refused) {
            throw new IOException("the container %s cannot be made: %s".formatted(name, why(refused.reason())));
        }
        return directory.child(Layout.ROOT);
    }

    private static String why(Outcome reason) {
        return reason == Outcome.EXISTS ? "there is one of this name" : reason + "; try again";
    }

    /** Removes a container with all that it wrote; false: there is none. */
    public boolean remove(String name) throws IOException {
        FilePath directory = directory(name);
        return registry.files().apply(new VectorBuilder().delete(directory).build()) instanceof VectorResult.Applied;
    }

    /**
     * Pushes what a container is at this moment as an image: the image that it was made of, and one layer more.
     *
     * @param scratch a local directory for the layer on its way
     */
    public Pushed push(String name, ImageName to, Path scratch) throws IOException {
        FilePath directory = directory(name);
        if (!exists(name)) {
            throw new IOException("there is no container " + name);
        }
        String snapshot = "push-" + OpenRegistry.id();
        FilePath root = directory.child(Layout.ROOT);
        apply(new Operation.TakeSnapshot(root, snapshot));
        try {
            FilePath now = root.child(FilePath.SNAPSHOTS).child(snapshot);
            List<Difference> differences = TreeDiff.between(bdt, directory.child(BASE), now);
            StoredManifest manifest = StoredManifest.decode(
                    FileBytes.all(registry.files().open(directory.child(IMAGE)), Manifest.MAX_BYTES + (1 << 16)));
            return new ImagePush(registry, bdt, Image.of(to.repository(), manifest))
                    .push(now, differences, to, scratch);
        } finally {
            apply(new Operation.DropSnapshot(root, snapshot));
        }
    }

    private void apply(Operation operation) throws IOException {
        if (registry.files().apply(OperationVector.of(operation)) instanceof VectorResult.Refused refused) {
            throw new IOException("%s is refused: %s".formatted(operation, refused.reason()));
        }
    }
}
