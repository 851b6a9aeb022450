// SPDX-License-Identifier: Apache-2.0
package io.packing.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LayerClusterTest {
    private static final List<String> P = List.of("p0", "p1", "p2", "p3");
    private static final List<String> D = List.of("d0", "d1", "d2", "d3");

    private static LayerCluster cluster(String mode) {
        return new LayerCluster(P, D, 3, ReplicaMode.named(mode));
    }

    /** Returns random layers that share files; every file is in some layer. */
    private static List<List<StoredFile>> layers(Random random) {
        List<List<StoredFile>> layers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            List<StoredFile> files = new ArrayList<>();
            for (int j = 0; j < 30; j++) {
                int id = random.nextInt(900);
                files.add(new StoredFile("f" + id, 100 + id));
            }
            layers.add(List.copyOf(new HashSet<>(files)));
        }
        return layers;
    }

    private static long bytes(Iterable<StoredFile> files) {
        long bytes = 0;
        for (StoredFile file : files) {
            bytes += file.bytes();
        }
        return bytes;
    }

    @Test
    void basicModesStoreSoManyWholeLayersAndTheDistinctFilesAsOftenAsIsLeft() {
        List<List<StoredFile>> layers = layers(Seed.random());
        Set<StoredFile> distinct = new HashSet<>();
        layers.forEach(distinct::addAll);
        long all = layers.stream().mapToLong(LayerClusterTest::bytes).sum();
        for (int n = 0; n <= 3; n++) {
            LayerCluster cluster = cluster("b" + n);
            for (int i = 0; i < layers.size(); i++) {
                LayerCluster.Moved moved = cluster.put("l" + i, bytes(layers.get(i)), layers.get(i), n);
                assertThat(moved.layers()).hasSize(n).isSubsetOf(P);
            }
            assertThat(cluster.intactBytes()).isEqualTo(n * all);
            assertThat(cluster.files().bytes()).isEqualTo((3 - n) * bytes(distinct));
            assertThat(cluster.bytes()).isEqualTo(n * all + (3 - n) * bytes(distinct));
        }
    }

    @Test
    void aLayerThatBecomesPopularGetsWholeReplicasAndItsFilesAreFewer() {
        LayerCluster cluster = cluster("s");
        List<StoredFile> files = List.of(new StoredFile("a", 10), new StoredFile("b", 20));
        LayerCluster.Moved cold = cluster.put("l", 30, files, 1);
        assertThat(cold.layers()).hasSize(1);
        assertThat(cluster.files().bytes()).isEqualTo(60);
        LayerCluster.Moved hot = cluster.put("l", 30, files, 3);
        assertThat(hot.layers()).hasSize(2).doesNotContainAnyElementsOf(cold.layers());
        assertThat(cluster.intactBytes()).isEqualTo(90);
        assertThat(cluster.files().bytes()).as("nobody needs the files").isZero();
        LayerCluster.Moved again = cluster.put("l", 30, files, 1);
        assertThat(again.files()).hasSize(4);
        assertThat(cluster.bytes()).isEqualTo(90);
    }

    @Test
    void aFileOfAHotAndAColdLayerHasTheReplicasThatTheColdOneWants() {
        LayerCluster cluster = cluster("s");
        StoredFile shared = new StoredFile("shared", 10);
        LayerCluster.Moved unused = cluster.put("cold", 10, List.of(shared), 1);
        LayerCluster.Moved unusedToo = cluster.put("hot", 10, List.of(shared), 3);
        assertThat(cluster.files().nodesOf(shared)).hasSize(2);
        cluster.remove("cold");
        assertThat(cluster.files().nodesOf(shared)).isEmpty();
        cluster.remove("hot");
        cluster.remove("hot");
        assertThat(cluster.bytes()).isZero();
    }

    @Test
    void noLossOfTwoNodesLosesALayer() {
        Random random = Seed.random();
        List<List<StoredFile>> layers = layers(random);
        for (String mode : List.of("b0", "b1", "b2", "b3", "s", "s0", "s50%")) {
            LayerCluster cluster = cluster(mode);
            List<ReplicaMode.Pulled> pulled = new ArrayList<>();
            for (int i = 1; i < layers.size(); i++) {
                pulled.add(new ReplicaMode.Pulled("l" + i, bytes(layers.get(i)), i));
            }
            ReplicaMode all = ReplicaMode.named(mode);
            Map<String, Integer> wholes = all.whole(3, pulled, 3L * 900 * 550);
            for (int i = 0; i < layers.size(); i++) {
                LayerCluster.Moved unused = cluster.put(
                        "l" + i, bytes(layers.get(i)), layers.get(i), wholes.getOrDefault("l" + i, all.least(3)));
            }
            List<String> nodes = new ArrayList<>(P);
            nodes.addAll(D);
            for (String one : nodes) {
                for (String other : nodes) {
                    Set<String> silent = Set.copyOf(new HashSet<>(List.of(one, other)));
                    for (int i = 0; i < layers.size(); i++) {
                        boolean whole = cluster.intact("l" + i).stream().anyMatch(node -> !silent.contains(node));
                        boolean split = cluster.intact("l" + i).size() < 3
                                && cluster.plan("l" + i, silent).missing().isEmpty();
                        assertThat(whole || split)
                                .as("layer %d of mode %s without %s", i, mode, silent)
                                .isTrue();
                    }
                }
            }
        }
    }

    @Test
    void lostNodesAreMadeGoodWithoutThem() {
        LayerCluster cluster = cluster("b1");
        List<List<StoredFile>> layers = layers(Seed.random());
        Map<String, List<String>> before = new HashMap<>();
        for (int i = 0; i < layers.size(); i++) {
            LayerCluster.Moved unused = cluster.put("l" + i, bytes(layers.get(i)), layers.get(i), 1);
            before.put("l" + i, cluster.intact("l" + i));
        }
        long bytes = cluster.bytes();
        Map<String, List<String>> copies = cluster.losePrimary("p1");
        before.forEach((digest, nodes) -> {
            assertThat(copies.containsKey(digest)).isEqualTo(nodes.contains("p1"));
            assertThat(cluster.intact(digest)).hasSize(1).doesNotContain("p1");
        });
        assertThat(cluster.loseSplitter("d2"))
                .isNotEmpty()
                .allSatisfy(copy -> assertThat(copy.to()).isNotEqualTo("d2"));
        assertThat(cluster.bytes()).as("as many replicas as before").isEqualTo(bytes);
    }

    @Test
    void tooFewNodesForTheModeAreRefused() {
        ReplicaMode one = ReplicaMode.named("b1");
        assertThatThrownBy(() -> new LayerCluster(List.of(), D, 3, one)).hasMessageContaining("as many nodes");
        assertThatThrownBy(() -> new LayerCluster(P, List.of("d0"), 3, one)).hasMessageContaining("as many nodes");
        assertThatThrownBy(() -> new LayerCluster(P, List.of("d0", "p0"), 3, one))
                .hasMessageContaining("[p0]");
        assertThatThrownBy(() -> new LayerCluster(P, D, 0, one)).isInstanceOf(IllegalArgumentException.class);
        assertThat(new LayerCluster(List.of(), D, 3, ReplicaMode.named("b0")).bytes())
                .isZero();
        assertThat(new LayerCluster(P, List.of(), 3, ReplicaMode.named("b3")).bytes())
                .isZero();
    }
}
