// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.OperationVector;
import io.packing.bdt.VectorResult;
import io.packing.blob.FilePath;
import io.packing.layers.Commands;
import io.packing.layers.ImageName;
import io.packing.layers.LayerRig;
import io.packing.layers.OpenRegistry;
import io.packing.registry.ImageTrees;
import io.packing.registry.files.FileBytes;
import io.packing.registry.files.RegistryFiles;
import io.packing.registry.oci.Digest;
import io.packing.registry.store.ChainedImage;
import io.packing.registry.store.Chains;
import io.packing.seed.Seed;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Trees of images behind their pushes: when they are there, and that a registry that ends on the way leaves nothing wrong. */
@Timeout(300)
class PushedTreesTest extends RegistryFixture {
    private final Random random = Seed.random();

    /** Lets so many changes of a mount pass, as those that a registry makes before it dies. */
    private static final class DyingFiles implements RegistryFiles {
        private final RegistryFiles files;
        private int left;

        DyingFiles(RegistryFiles files, int left) {
            this.files = files;
            this.left = left;
        }

        private synchronized void live() throws IOException {
            if (left-- <= 0) {
                throw new IOException("the registry is dead");
            }
        }

        @Override
        public long packedBytes() {
            return files.packedBytes();
        }

        @Override
        public PackingOutput create(FilePath path) throws IOException {
            live();
            return files.create(path);
        }

        @Override
        public Optional<Map<String, ExtendedValue>> extended(FilePath path) throws IOException {
            return files.extended(path);
        }

        @Override
        public VectorResult apply(OperationVector vector) throws IOException {
            live();
            return files.apply(vector);
        }

        @Override
        public PackingInput open(FilePath path) throws IOException {
            return files.open(path);
        }

        @Override
        public Optional<FileStatus> stat(FilePath path) throws IOException {
            return files.stat(path);
        }

        @Override
        public Optional<List<FileStatus>> list(FilePath directory, String after, int limit) throws IOException {
            return files.list(directory, after, limit);
        }
    }

    private byte[] layer(String name) throws IOException, InterruptedException {
        Path tree = Files.createDirectories(home.resolve(name).resolve("etc"));
        byte[] bytes = new byte[3_000];
        random.nextBytes(bytes);
        Files.write(tree.resolve(name), bytes);
        Files.writeString(tree.resolve("short"), name);
        Files.deleteIfExists(tree.resolve("link-" + name));
        Files.createSymbolicLink(tree.resolve("link-" + name), Path.of(name));
        Path tar = home.resolve(name + ".tar");
        Commands.run(home, "tar", "--create", "--file", tar.toString(), "--directory", name, ".");
        return Files.readAllBytes(tar);
    }

    private Digest push(String repository) throws IOException, InterruptedException {
        byte[] base = layer("base");
        byte[] top = layer("top");
        String unused =
                rig.pushImage(repository, List.of(base, top), List.of(LayerRig.digest(base), LayerRig.digest(top)));
        return registry.manifests().byTag(repository, "v1").orElseThrow().digest();
    }

    /** Returns the entries below a directory, with bytes. */
    private Map<String, String> look(FilePath directory) throws IOException {
        Map<String, String> all = new TreeMap<>();
        for (FileStatus entry : registry.files().list(directory, "", 1_000).orElseThrow()) {
            all.put(
                    entry.path().name(),
                    entry.attributes().mode() + " " + entry.attributes().mtimeMillis());
            if (entry.isDirectory()) {
                look(entry.path()).forEach((name, has) -> all.put(entry.path().name() + "/" + name, has));
            } else {
                byte[] bytes = FileBytes.all(registry.files().open(entry.path()), 1 << 20);
                all.merge(entry.path().name(), Digest.Algorithm.SHA256.of(bytes).hex(), String::concat);
            }
        }
        return all;
    }

    @Test
    void aRegistryThatDiesOnTheWayLeavesNoTreeOrTheWholeOne() throws Exception {
        Digest wanted = push("whole");
        PushedTrees trees = new PushedTrees(registry);
        assertThat(trees.isSettled("whole", wanted)).isFalse();
        assertThat(trees.make("whole", wanted)).isEqualTo(ImageTrees.Result.MADE);
        Map<String, String> whole = look(registry.layout().root("whole", wanted));
        assertThat(whole).containsKeys("etc/base", "etc/top", "etc/short", "etc/link-base");
        boolean done = false;
        for (int calls = 0; !done; calls++) {
            String repository = "r" + calls;
            Digest manifest = push(repository);
            FilePath root = registry.layout().root(repository, manifest);
            try (OpenRegistry dying = new OpenRegistry(new DyingFiles(rig.files(), calls), LayerRig.REGISTRY)) {
                PushedTrees made = new PushedTrees(dying);
                if (calls == 0) {
                    assertThatThrownBy(() -> made.make(repository, manifest)).hasMessageContaining("dead");
                }
                done = finishes(made, repository, manifest);
            }
            // The image is noted under its chain ids after its tree is there.
            boolean isThere = registry.files().stat(root).isPresent();
            assertThat(isThere || !done).as("after %d calls", calls).isTrue();
            assertThat(trees.isSettled(repository, manifest)).isEqualTo(done);
            // The next registry, or a request for a container, makes it.
            FilePath container =
                    new Containers(registry, rig.mount().bdt()).create("c" + calls, new ImageName(repository, "v1"));
            assertThat(look(container)).hasSameSizeAs(whole).containsKeys("etc/base", "etc/top");
            assertThat(trees.make(repository, manifest)).isEqualTo(ImageTrees.Result.MADE);
            assertThat(trees.isSettled(repository, manifest)).isTrue();
        }
    }

    private static boolean finishes(PushedTrees trees, String repository, Digest manifest) {
        try {
            return trees.make(repository, manifest) == ImageTrees.Result.MADE;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void aTreeThatIsThereMakesAContainerOneVector() throws Exception {
        Digest manifest = push("app");
        assertThat(new PushedTrees(registry).make("app", manifest)).isEqualTo(ImageTrees.Result.MADE);
        try (OpenRegistry once = new OpenRegistry(new DyingFiles(rig.files(), 1), LayerRig.REGISTRY)) {
            FilePath root = new Containers(once, rig.mount().bdt()).create("one", new ImageName("app", "v1"));
            assertThat(look(root)).containsKey("etc/base");
        }
    }

    @Test
    void whatIsNoImageIsSettledWithoutATree() throws Exception {
        byte[] noTar = "no tar at all".repeat(100).getBytes(StandardCharsets.UTF_8);
        String unused = rig.pushImage("text", List.of(noTar), List.of(LayerRig.digest(noTar)));
        Digest manifest = registry.manifests().byTag("text", "v1").orElseThrow().digest();
        PushedTrees trees = new PushedTrees(registry);
        assertThat(trees.make("text", manifest)).isEqualTo(ImageTrees.Result.NONE);
        assertThat(trees.isSettled("text", manifest)).isTrue();
        assertThat(trees.make("text", LayerRig.digest(noTar)))
                .as("a manifest that is gone")
                .isEqualTo(ImageTrees.Result.NONE);
    }

    @Test
    void aDeletedImageGetsNoTree() throws Exception {
        Digest manifest = push("app");
        Image image = Image.of("app", registry.manifests().byTag("app", "v1").orElseThrow());
        assertThat(registry.manifests().delete("app", manifest)).isTrue();
        assertThatThrownBy(() -> new ImageRoots(registry).root(image)).isInstanceOf(IOException.class);
        assertThat(registry.files().stat(registry.layout().manifest("app", manifest)))
                .isEmpty();
    }

    @Test
    void aPushedImageIsFoundByItsChainIdsAndByNoOthers() throws Exception {
        byte[] base = layer("base");
        byte[] top = layer("top");
        Digest baseDiff = LayerRig.digest(base);
        Digest topDiff = LayerRig.digest(top);
        List<Digest> ids = Chains.ids(List.of(baseDiff, topDiff));
        assertThat(ids)
                .containsExactly(
                        baseDiff,
                        LayerRig.digest("%s %s".formatted(baseDiff, topDiff).getBytes(StandardCharsets.UTF_8)));
        String unused = rig.pushImage("team/app", List.of(base, top), List.of(baseDiff, topDiff));
        Digest app = registry.manifests().byTag("team/app", "v1").orElseThrow().digest();
        // Its configuration names the layers of the first one, and its layer is another.
        byte[] other = layer("other");
        String unusedToo = rig.pushImage("liar", List.of(other), List.of(baseDiff));
        Digest liar = registry.manifests().byTag("liar", "v1").orElseThrow().digest();
        PushedTrees trees = new PushedTrees(registry);
        assertThat(trees.make("liar", liar)).isEqualTo(ImageTrees.Result.MADE);
        Chains chains = registry.chains();
        assertThat(chains.find(baseDiff)).isEmpty();
        assertThat(chains.find(LayerRig.digest(other))).contains(new ChainedImage("liar", liar, 1, 1));
        assertThat(trees.make("team/app", app)).isEqualTo(ImageTrees.Result.MADE);
        assertThat(chains.find(ids.get(0))).contains(new ChainedImage("team/app", app, 1, 2));
        assertThat(chains.find(ids.get(1))).contains(new ChainedImage("team/app", app, 2, 2));
        // The lowest layers of an image are a root, too.
        Containers containers = new Containers(registry, rig.mount().bdt());
        FilePath lowest = containers.create("lowest", chains.find(ids.get(0)).orElseThrow());
        assertThat(look(lowest)).containsKey("etc/base").doesNotContainKey("etc/top");
        assertThat(look(containers.create("whole", chains.find(ids.get(1)).orElseThrow())))
                .containsKeys("etc/base", "etc/top");
        assertThat(containers.names("lo")).containsExactly("lowest");
        // The whole image is preferred, and one that is gone is none.
        String unusedOfBase = rig.pushImage("base", List.of(base), List.of(baseDiff));
        Digest alone = registry.manifests().byTag("base", "v1").orElseThrow().digest();
        assertThat(trees.make("base", alone)).isEqualTo(ImageTrees.Result.MADE);
        assertThat(chains.find(ids.get(0))).contains(new ChainedImage("base", alone, 1, 1));
        assertThat(registry.manifests().delete("base", alone)).isTrue();
        assertThat(chains.find(ids.get(0))).contains(new ChainedImage("team/app", app, 1, 2));
        FilePath ofBase = registry.layout().chain(ids.get(0)).child("base");
        chains.forget(entry -> false);
        assertThat(registry.files().list(ofBase, "", 10).orElseThrow()).hasSize(1);
        chains.forget(entry -> true);
        assertThat(registry.files().list(ofBase, "", 10).orElseThrow()).isEmpty();
        assertThat(chains.find(ids.get(0))).isPresent();
    }
}
