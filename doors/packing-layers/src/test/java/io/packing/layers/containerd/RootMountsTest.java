// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mounts of containers over roots with metadata images, and over the ones without. */
class RootMountsTest {
    private static final Digest CHAIN = Digest.Algorithm.SHA256.of("chain".getBytes(StandardCharsets.UTF_8));

    @TempDir
    private Path home;

    private ContainerdSnapshots snapshots;
    private final List<Digest> pulled = new ArrayList<>();
    private final List<Digest> pulledWhole = new ArrayList<>();
    private Optional<Path> metadata = Optional.of(Path.of("/metadata"));

    /** A registry that has one chain. */
    private final class Registry implements ChainRoots {
        @Override
        public boolean has(Digest chain) {
            return chain.equals(CHAIN);
        }

        @Override
        public void ahead(Digest chain, boolean isLast) {
            (isLast ? pulledWhole : pulled).add(chain);
        }

        @Override
        public ChainRoot root(Digest chain) {
            return new ChainRoot(Path.of("/tree"), metadata);
        }

        @Override
        public void keepOnly(Supplier<Set<Digest>> chains) {
            throw new UnsupportedOperationException("no test removes chains");
        }
    }

    @BeforeEach
    void start() throws IOException {
        snapshots = ContainerdSnapshots.open(home.resolve("state"), new Registry(), () -> 0);
        assertThatIOException().isThrownBy(() -> {
            Object unused = snapshots.prepare("x", "", Map.of(ContainerdSnapshots.REFERENCE, CHAIN.toString()));
        });
    }

    @AfterEach
    void stop() {
        snapshots.close();
    }

    private static String lower(List<SnapshotMount> mounts) {
        assertThat(mounts).hasSize(1);
        return mounts.get(0).options().stream()
                .filter(each -> each.startsWith("lowerdir="))
                .map(each -> each.substring("lowerdir=".length()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aMetadataImageStandsBeforeTheBytesOfItsTree() throws Exception {
        String pair = "/metadata::/tree";
        assertThat(lower(snapshots.prepare("c", CHAIN.toString(), Map.of()))).isEqualTo(pair);
        assertThat(lower(snapshots.view("v", CHAIN.toString(), Map.of()))).isEqualTo(pair);
        Object unused = snapshots.prepare("extract", CHAIN.toString(), Map.of());
        snapshots.commit("above", "extract", Map.of());
        assertThat(lower(snapshots.prepare("d", "above", Map.of())))
                .startsWith(home.toString())
                .endsWith("/upper:" + pair);
    }

    @Test
    void aPulledChainIsBroughtAheadAndNoOther() throws Exception {
        Object unused = snapshots.prepare("c", CHAIN.toString(), Map.of());
        Digest none = Digest.Algorithm.SHA256.of(new byte[0]);
        Object unusedOther = snapshots.prepare("d", "", Map.of(ContainerdSnapshots.REFERENCE, none.toString()));
        assertThat(pulled).containsExactly(CHAIN);
        assertThat(pulledWhole).isEmpty();
    }

    @Test
    void theHighestLayerOfAPulledImageIsTheOneWithoutOthersAboveIt() throws Exception {
        for (String layers : List.of("sha256:a,sha256:b", "sha256:b")) {
            assertThatIOException().isThrownBy(() -> {
                Object unused = snapshots.prepare(
                        "x",
                        "",
                        Map.of(ContainerdSnapshots.REFERENCE, CHAIN.toString(), ContainerdSnapshots.LAYERS, layers));
            });
        }
        // The first one is that of the setup.
        assertThat(pulled).containsExactly(CHAIN, CHAIN);
        assertThat(pulledWhole).containsExactly(CHAIN);
    }

    @Test
    void whatAContainerWroteIsReadWithTheSameOptionsWithoutItsMetadataImage() throws Exception {
        SnapshotMount before =
                snapshots.prepare("c", CHAIN.toString(), Map.of()).get(0);
        metadata = Optional.empty();
        SnapshotMount after = snapshots.mounts("c").get(0);
        assertThat(lower(List.of(after))).isEqualTo("/tree");
        for (SnapshotMount each : List.of(before, after)) {
            assertThat(each.options()).contains("metacopy=on", "redirect_dir=on");
        }
        // Attributes of the root are those of the image.
        assertThat(lower(snapshots.view("v", CHAIN.toString(), Map.of()))).startsWith("/tree:");
        assertThat(snapshots.prepare("other", "", Map.of()).get(0).options()).doesNotContain("metacopy=on");
    }
}
