// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Operation;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.layers.ImageName;
import io.packing.layers.LayerRig;
import io.packing.layers.OpenRegistry;
import io.packing.layers.tree.ExtendedAttributes;
import io.packing.layers.tree.LayerException;
import io.packing.layers.tree.LayerTrees;
import io.packing.registry.ImageTrees;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Tree;
import io.packing.registry.oci.Digest;
import io.packing.registry.tar.TarFields;
import io.packing.registry.tar.TarWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Images whose trees would cost more than a tree may. They are kept and served as they were pushed. */
@Timeout(300)
class LayerLimitsTest extends RegistryFixture {
    private static final int ZEROS = 512 << 20;

    /** Returns a gzipped layer of one file of zeros. */
    private static byte[] bomb() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes, 1 << 16)) {
            TarWriter tar = new TarWriter(gzip);
            tar.begin(new TarFields('0', name("zeros"), new byte[0], 0644, 0, 0, Instant.EPOCH, ZEROS, 0, 0, Map.of()));
            byte[] chunk = new byte[1 << 20];
            for (int i = 0; i < ZEROS / chunk.length; i++) {
                tar.write(chunk);
            }
            tar.finish();
        }
        return bytes.toByteArray();
    }

    private static byte[] name(String path) {
        return path.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] layer(String... paths) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        TarWriter tar = new TarWriter(bytes);
        for (String path : paths) {
            tar.begin(TarFields.plain('0', name(path)));
        }
        tar.finish();
        return bytes.toByteArray();
    }

    private Digest push(String repository, byte[]... layers) throws IOException, InterruptedException {
        List<Digest> diffs = Collections.nCopies(layers.length, LayerRig.digest(layers[0]));
        String unused = rig.pushImage(repository, List.of(layers), diffs);
        return registry.manifests().byTag(repository, "v1").orElseThrow().digest();
    }

    @Test
    void aLayerThatInflatesBeyondTheLimitGetsNoTreeAndIsServedAsItWasPushed() throws Exception {
        byte[] bomb = bomb();
        Digest layer = LayerRig.digest(bomb);
        Digest manifest = push("bomb", bomb);
        PushedTrees trees = new PushedTrees(registry);
        assertThat(trees.make("bomb", manifest)).isEqualTo(ImageTrees.Result.TOO_LARGE);
        assertThat(trees.isSettled("bomb", manifest)).isTrue();
        assertThat(registry.files().stat(registry.layout().limit(layer))).isPresent();
        assertThat(registry.files().list(registry.layout().files(), "", 10).orElse(List.of()))
                .as("contents of files")
                .isEmpty();
        assertThat(FileBytes.all(registry.files().open(registry.layout().original(layer)), bomb.length))
                .isEqualTo(bomb);
        try (OpenRegistry next = new OpenRegistry(rig.files(), LayerRig.REGISTRY)) {
            assertThatThrownBy(() -> next.trees().directory(layer))
                    .isInstanceOf(LayerException.class)
                    .hasMessageContaining("was found to be beyond a limit");
            ImageName name = new ImageName("bomb", "v1");
            assertThatThrownBy(() -> new Containers(next, rig.mount().bdt()).create("c", name))
                    .isInstanceOf(LayerException.class);
        }
    }

    @Test
    void aPathOfMoreLevelsThanTheLimitGetsNoTree() throws Exception {
        Digest deepest = push("deepest", layer("d/".repeat(255) + "file"));
        Digest deeper = push("deeper", layer("d/".repeat(256) + "file"));
        PushedTrees trees = new PushedTrees(registry);
        assertThat(trees.make("deepest", deepest)).isEqualTo(ImageTrees.Result.MADE);
        assertThat(trees.make("deeper", deeper)).isEqualTo(ImageTrees.Result.TOO_LARGE);
    }

    @Test
    void anImageOfMoreLayersThanTheLimitGetsNoTree() throws Exception {
        byte[] layer = layer("file");
        byte[][] layers = Collections.nCopies(513, layer).toArray(new byte[0][]);
        Digest manifest = push("layers", layers);
        assertThat(new PushedTrees(registry).make("layers", manifest)).isEqualTo(ImageTrees.Result.TOO_LARGE);
    }

    @Test
    void aMergeCostsNoMoreEntriesThanItsBudget() throws Exception {
        byte[] layer = layer("a", "b", "c");
        String unused = rig.pushImage("merged", List.of(layer), List.of(LayerRig.digest(layer)));
        FilePath upper = registry.trees().directory(LayerRig.digest(layer)).child(LayerTrees.DIFF);
        FilePath lower = new FilePath("/lower");
        VectorResult made = registry.files()
                .apply(new OperationVector(
                        List.of(), List.of(new Operation.MakeDirectory(lower, LayerTrees.DIRECTORY, true))));
        assertThat(made).isInstanceOf(VectorResult.Applied.class);
        Tree tree = new Tree(registry.files(), registry.layout());
        MergeBudget budget = new MergeBudget(8);
        TreeMerge.merge(registry.files(), tree, upper, ExtendedAttributes.NONE, lower, budget);
        // The second merge lists three entries of the layer, and the three below them.
        assertThatThrownBy(() -> TreeMerge.merge(registry.files(), tree, upper, ExtendedAttributes.NONE, lower, budget))
                .isInstanceOf(LayerException.class)
                .hasMessageContaining("more than 8 entries");
    }
}
