// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.Operation;
import io.packing.bdt.VectorResult;
import io.packing.bdt.tree.TreeDiff;
import io.packing.blob.FilePath;
import io.packing.layers.ImageName;
import io.packing.layers.OpenRegistry;
import io.packing.layers.tree.LayerTrees;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.VectorBuilder;
import io.packing.registry.oci.Digest;
import io.packing.registry.oci.Manifest;
import io.packing.registry.store.StoredManifest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Image snapshots: the states of containers when they were pushed, by tag. One is made in one vector, whatever the
 * container has changed, and containers can be made of it at once (Slacker §5.3, where a push is a snapshot). It is
 * published as an image of layers after that, for clients that know layers only. A snapshot counts as long as its tag
 * names the manifest that it named then. Thread-safe.
 */
final class ImageSnapshots {
    private static final int ATTEMPTS = 8;
    /** The tree of which the container was made. */
    static final String BASE = "base";
    /** The manifest that the tag named before; it is not there if the tag was new. */
    private static final String BEFORE = "before";

    private final OpenRegistry registry;
    private final Bdt bdt;

    ImageSnapshots(OpenRegistry registry, Bdt bdt) {
        this.registry = registry;
        this.bdt = bdt;
    }

    /** Takes a snapshot of a container's directory; it takes the place of an older one of the tag. */
    FilePath take(FilePath container, ImageName to) throws IOException {
        Layout layout = registry.layout();
        FilePath snapshot = layout.snapshot(to.repository(), to.reference());
        FilePath tag = layout.tag(to.repository(), to.reference());
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            VectorBuilder vector = new VectorBuilder();
            if (registry.files().stat(snapshot).isPresent()) {
                vector.delete(snapshot);
            }
            vector.add(new Operation.MakeDirectory(snapshot, LayerTrees.DIRECTORY, true))
                    .add(new Operation.CloneDirectory(container.child(BASE), snapshot.child(BASE)))
                    .add(new Operation.CloneDirectory(container.child(Layout.ROOT), snapshot.child(Layout.ROOT)))
                    .cloneFile(container.child(Layout.IMAGE), snapshot.child(Layout.IMAGE));
            FilePath start = container.child(Layout.START);
            if (registry.files().stat(start).isPresent()) {
                // A container of the new image reads most of the same files at its start.
                vector.add(new Operation.CloneDirectory(start, snapshot.child(Layout.START)));
            }
            Optional<FileStatus> tagged = registry.files().stat(tag);
            vector.unchanged(tag, tagged);
            if (tagged.isPresent()) {
                vector.cloneFile(tag, snapshot.child(BEFORE));
            }
            if (registry.files().apply(vector.build()) instanceof VectorResult.Applied) {
                return snapshot;
            }
        }
        throw new IOException("%s:%s is changed by others faster than it can be pushed; try again"
                .formatted(to.repository(), to.reference()));
    }

    /** Returns the snapshot of a tag, if it counts. */
    Optional<FilePath> find(ImageName name) throws IOException {
        if (Digest.isMeant(name.reference())) {
            return Optional.empty();
        }
        FilePath snapshot = registry.layout().snapshot(name.repository(), name.reference());
        if (registry.files().stat(snapshot).isEmpty()) {
            return Optional.empty();
        }
        Optional<Digest> now =
                registry.manifests().byTag(name.repository(), name.reference()).map(StoredManifest::digest);
        FilePath before = snapshot.child(BEFORE);
        Optional<Digest> then = registry.files().stat(before).isPresent()
                ? Optional.of(manifest(before).digest())
                : Optional.empty();
        return now.equals(then) ? Optional.of(snapshot) : Optional.empty();
    }

    private StoredManifest manifest(FilePath file) throws IOException {
        return StoredManifest.decode(FileBytes.all(registry.files().open(file), Manifest.MAX_BYTES + (1 << 16)));
    }

    /**
     * Makes an image of a snapshot and lets the tag name it.
     *
     * @param scratch a local directory for the layer on its way
     */
    PushedImage publish(FilePath snapshot, ImageName to, Path scratch) throws IOException {
        FilePath root = snapshot.child(Layout.ROOT);
        PushedImage pushed = new ImagePush(
                        registry, bdt, Image.of(to.repository(), manifest(snapshot.child(Layout.IMAGE))))
                .push(root, TreeDiff.between(bdt, snapshot.child(BASE), root), to, scratch);
        settle(snapshot, to.repository(), Image.digest(pushed.digest()));
        return pushed;
    }

    /** Makes the snapshot's root the image's tree, so that no server has to merge layers for it. */
    private void settle(FilePath snapshot, String repository, Digest manifest) throws IOException {
        Optional<FileStatus> whole = registry.files().stat(snapshot);
        FilePath root = registry.layout().root(repository, manifest);
        if (whole.isEmpty()) {
            return;
        }
        VectorBuilder vector = new VectorBuilder().unchanged(whole.get());
        if (registry.files().stat(root).isEmpty()) {
            vector.absent(root)
                    .present(registry.layout().content(repository, manifest))
                    .add(new Operation.CloneDirectory(snapshot.child(Layout.ROOT), root));
        }
        FilePath start = snapshot.child(Layout.START);
        FilePath kept = registry.layout().manifest(repository, manifest).child(Layout.START);
        if (registry.files().stat(start).isPresent()
                && registry.files().stat(kept).isEmpty()) {
            vector.present(registry.layout().content(repository, manifest))
                    .add(new Operation.CloneDirectory(start, kept));
        }
        // The vector is refused when another snapshot took its place, or another server made the tree: then the work is
        // done.
        VectorResult unused = registry.files().apply(vector.delete(snapshot).build());
    }
}
