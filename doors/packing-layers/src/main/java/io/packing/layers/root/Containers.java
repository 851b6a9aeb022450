// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.bdt.Bdt;
import io.packing.bdt.Operation;
import io.packing.bdt.Outcome;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.layers.start.StartPlace;
import io.packing.layers.tree.LayerTrees;
import io.packing.registry.files.Layout;
import io.packing.registry.files.Tree;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.NameRules;
import io.packing.registry.store.ChainedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Writable roots of containers, by name. A root is a clone of its image's, O(1). A container has its changes for
 * itself; unchanged files are stored once for all. A push writes the differences as one more layer of the image.
 */
public final class Containers {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{0,127}");

    private final OpenRegistry registry;
    private final ImageRoots roots;
    private final ImageSnapshots snapshots;

    /** @param bdt the table of the registry's mount */
    public Containers(OpenRegistry registry, Bdt bdt) {
        this.registry = registry;
        this.roots = new ImageRoots(registry);
        this.snapshots = new ImageSnapshots(registry, bdt);
    }

    /** Returns the path of a container's root; it need not be there. */
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

    /** Returns whether a container has this name. */
    public boolean exists(String name) throws IOException {
        return registry.files().stat(directory(name)).isPresent();
    }

    /** Returns whether the reads of an image's starting containers are known. */
    public boolean knowsStart(ImageName imageName) throws IOException {
        Optional<FilePath> snapshot = snapshots.find(imageName);
        if (snapshot.isPresent()) {
            return registry.files().stat(snapshot.get().child(Layout.START)).isPresent();
        }
        Image image = Image.find(registry, imageName);
        return registry.files()
                .stat(registry.layout()
                        .manifest(image.repository(), image.stored().digest())
                        .child(Layout.START))
                .isPresent();
    }

    /** Makes a container of an image; returns its root. */
    public FilePath create(String name, ImageName imageName) throws IOException {
        FilePath directory = directory(name);
        Optional<FilePath> snapshot = snapshots.find(imageName);
        if (snapshot.isPresent()) {
            FilePath at = snapshot.get();
            make(
                    name,
                    at.child(ImageSnapshots.BASE),
                    at.child(Layout.ROOT),
                    at.child(Layout.IMAGE),
                    at.child(Layout.START),
                    StartPlace.markOfSnapshot(imageName.repository(), imageName.reference()));
        } else {
            Image image = Image.find(registry, imageName);
            FilePath root = roots.root(image);
            Digest digest = image.stored().digest();
            make(
                    name,
                    root,
                    root,
                    registry.layout().content(image.repository(), digest),
                    registry.layout().manifest(image.repository(), digest).child(Layout.START),
                    StartPlace.mark(image.repository(), digest));
        }
        return directory.child(Layout.ROOT);
    }

    /** Makes a container of an image, or of its lowest layers only; returns its root. */
    public FilePath create(String name, ChainedImage chained) throws IOException {
        ImageName imageName =
                new ImageName(chained.repository(), chained.manifest().toString());
        if (chained.isWhole()) {
            return create(name, imageName);
        }
        Image image = Image.find(registry, imageName);
        FilePath merged = roots.merge(image.lowest(chained.layers()));
        try {
            // Its reads are no start of the image: it has no mark by which they would be kept with it.
            VectorBuilder vector = begun(
                    directory(name),
                    merged,
                    merged,
                    registry.layout().content(image.repository(), image.stored().digest()));
            apply(name, vector);
        } finally {
            roots.drop(merged);
        }
        return root(name);
    }

    /** Returns the names of the containers that begin with a text. */
    public List<String> names(String beginning) throws IOException {
        List<String> names = new ArrayList<>();
        new Tree(registry.files(), registry.layout()).each(registry.layout().containers(), entry -> {
            if (entry.path().name().startsWith(beginning)) {
                names.add(entry.path().name());
            }
        });
        return names;
    }

    private static VectorBuilder begun(FilePath directory, FilePath base, FilePath root, FilePath image) {
        return new VectorBuilder()
                .absent(directory)
                .add(new Operation.MakeDirectory(directory, LayerTrees.DIRECTORY, true))
                .add(new Operation.CloneDirectory(base, directory.child(ImageSnapshots.BASE)))
                .add(new Operation.CloneDirectory(root, directory.child(Layout.ROOT)))
                .cloneFile(image, directory.child(Layout.IMAGE));
    }

    private void apply(String name, VectorBuilder vector) throws IOException {
        VectorResult made = registry.files().apply(vector.build());
        if (made instanceof VectorResult.Refused refused) {
            throw new IOException("the container %s cannot be made: %s".formatted(name, why(refused.reason())));
        }
    }

    /**
     * Makes the directory of a container. It has the container's base, which stays unchanged, its root, the manifest of
     * its image, and the start pack of that image, if there is one.
     */
    private void make(String name, FilePath base, FilePath root, FilePath image, FilePath start, String mark)
            throws IOException {
        FilePath directory = directory(name);
        VectorBuilder vector = begun(directory, base, root, image)
                .directory(directory.child(StartPlace.OF).child(mark));
        if (registry.files().stat(start).isPresent()) {
            vector.add(new Operation.CloneDirectory(start, directory.child(Layout.START)));
        }
        apply(name, vector);
    }

    private static String why(Outcome reason) {
        return reason == Outcome.EXISTS ? "there is one of this name" : reason + "; try again";
    }

    /** Removes a container with all of its changes; returns false without such a container. */
    public boolean remove(String name) throws IOException {
        FilePath directory = directory(name);
        return registry.files().apply(new VectorBuilder().delete(directory).build()) instanceof VectorResult.Applied;
    }

    /**
     * Keeps the present state of a container under a tag, O(1): containers can be made of it at once. Clients that know
     * layers only see it when it is {@linkplain #publish published}.
     */
    public void snapshot(String name, ImageName to) throws IOException {
        if (!exists(name)) {
            throw new IOException("there is no container " + name);
        }
        if (!NameRules.isTag(to.reference())) {
            throw new IOException("a container is pushed under a tag, not as %s".formatted(to.reference()));
        }
        FilePath unused = snapshots.take(directory(name), to);
    }

    /**
     * Makes an image of the snapshot under a tag: the image that the container was made of, and a layer more with the
     * differences. Empty: the tag has no unpublished snapshot.
     *
     * @param scratch a local directory for the layer on its way
     */
    public Optional<PushedImage> publish(ImageName to, Path scratch) throws IOException {
        Optional<FilePath> snapshot = snapshots.find(to);
        return snapshot.isPresent() ? Optional.of(snapshots.publish(snapshot.get(), to, scratch)) : Optional.empty();
    }

    /**
     * Pushes the present state of a container as an image.
     *
     * @param scratch a local directory for the layer on its way
     */
    public PushedImage push(String name, ImageName to, Path scratch) throws IOException {
        snapshot(name, to);
        return publish(to, scratch)
                .orElseThrow(() -> new IOException("another client pushed %s:%s meanwhile; push again"
                        .formatted(to.repository(), to.reference())));
    }
}
