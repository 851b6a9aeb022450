// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.root;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.layers.LayerRig;
import io.packing.layers.OddTar;
import io.packing.registry.ImageTrees;
import io.packing.registry.oci.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rehearsal of a snapshotter, with images of a registry. */
class ChainRehearsalTest extends RegistryFixture {
    private static final String NAME = "containerd.machine.rehearsal";

    private Digest push(String repository, String file) throws Exception {
        byte[] base = new OddTar().file("base", "of the base").end();
        byte[] top = new OddTar().file(file, "text".repeat(1_000)).end();
        String unused =
                rig.pushImage(repository, List.of(base, top), List.of(LayerRig.digest(base), LayerRig.digest(top)));
        Digest manifest =
                registry.manifests().byTag(repository, "v1").orElseThrow().digest();
        assertThat(new PushedTrees(registry).make(repository, manifest)).isEqualTo(ImageTrees.Result.MADE);
        return manifest;
    }

    @Test
    void aRegistryWithoutImagesHasNothingToRehearseWith() throws Exception {
        Containers containers = new Containers(registry, rig.mount().bdt());
        assertThat(registry.chains().example()).isEmpty();
        assertThat(ChainRehearsal.run(registry, containers, NAME)).isFalse();
    }

    @Test
    void aWholeImageIsRehearsedAndItsContainerIsGone() throws Exception {
        Digest manifest = push("team/app", "one");
        Containers containers = new Containers(registry, rig.mount().bdt());
        // A process that was killed has left it.
        Object unused = containers.create(
                NAME,
                registry.chains()
                        .find(registry.chains().example().orElseThrow())
                        .orElseThrow());
        assertThat(ChainRehearsal.run(registry, containers, NAME)).isTrue();
        assertThat(containers.exists(NAME)).isFalse();
        assertThat(registry.manifests().delete("team/app", manifest)).isTrue();
        assertThat(ChainRehearsal.run(registry, containers, NAME))
                .as("the only image is gone")
                .isFalse();
        Digest unusedToo = push("other", "two");
        assertThat(ChainRehearsal.run(registry, containers, NAME)).isTrue();
    }
}
