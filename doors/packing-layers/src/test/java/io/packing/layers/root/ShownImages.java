// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.FilePath;
import io.packing.layers.ImageName;
import io.packing.layers.LayerRig;
import io.packing.layers.OpenRegistry;
import io.packing.layers.TreeLook;
import io.packing.layers.Umoci;
import io.packing.layers.tree.LayerException;
import io.packing.layers.tree.LayerTrees;
import io.packing.registry.oci.Digest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Images that are pushed to a registry, and the trees that it makes of them. */
final class ShownImages implements AutoCloseable {
    private final Path home;
    private final LayerRig rig;
    private final OpenRegistry registry;
    private final Containers containers;
    private int count;

    ShownImages(Path home) throws IOException {
        this.home = home;
        this.rig = new LayerRig(home);
        this.registry = new OpenRegistry(rig.files(), LayerRig.REGISTRY);
        this.containers = new Containers(registry, rig.mount().bdt());
    }

    /**
     * Returns the root of an image without the times of clocks, after a comparison with umoci's tree, if umoci is
     * installed.
     */
    Map<String, String> asUmoci(byte[]... layers) throws IOException, InterruptedException {
        Map<String, String> shown = root(layers);
        Optional<Umoci> umoci = Umoci.find(home);
        if (umoci.isPresent()) {
            Map<String, String> unpacked = umoci.get().unpack(List.of(layers));
            assertThat(Unpacked.comparable(shown, unpacked, Instant.now()))
                    .isEqualTo(Unpacked.comparable(unpacked, unpacked, Instant.now()));
        }
        return Unpacked.comparable(shown, Map.of(), Instant.now());
    }

    /** Returns the merged root of an image. {@link LayerException} when it is refused. */
    Map<String, String> root(byte[]... layers) throws IOException, InterruptedException {
        String repository = "case" + count++;
        List<Digest> diffs = new ArrayList<>();
        for (byte[] layer : layers) {
            diffs.add(LayerRig.digest(inflated(layer)));
        }
        String unused = rig.pushImage(repository, List.of(layers), diffs);
        FilePath root = containers.create(repository, new ImageName(repository, "v1"));
        Map<String, String> shown = TreeLook.at(rig.files(), rig.mount().bdt(), root);
        boolean removed = containers.remove(repository);
        if (!removed) {
            throw new IOException("container " + repository + " is gone");
        }
        return shown;
    }

    /** Returns the tree of a layer of an image that was pushed. */
    Map<String, String> layer(byte[] layer) throws IOException {
        FilePath directory = registry.trees().directory(LayerRig.digest(layer));
        return TreeLook.at(rig.files(), rig.mount().bdt(), directory.child(LayerTrees.DIFF));
    }

    private static byte[] inflated(byte[] layer) throws IOException {
        if (layer.length < 2 || layer[0] != 0x1f) {
            return layer;
        }
        try (GZIPInputStream tar = new GZIPInputStream(new ByteArrayInputStream(layer))) {
            return tar.readAllBytes();
        }
    }

    @Override
    public void close() throws IOException {
        registry.close();
        rig.close();
    }
}
