// SPDX-License-Identifier: Apache-2.0
package io.packing.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FileIndexTest {
    private static List<String> nodes(int count) {
        return IntStream.range(0, count).mapToObj(i -> "d" + i).toList();
    }

    private static List<StoredFile> files(String prefix, Random random, int count, int largest) {
        return IntStream.range(0, count)
                .mapToObj(i -> new StoredFile(prefix + i, random.nextInt(largest)))
                .toList();
    }

    private static void isSound(FileIndex index, Collection<StoredFile> files, int replicas) {
        long bytes = 0;
        for (StoredFile file : files) {
            List<String> on = index.nodesOf(file);
            assertThat(on).as("replicas of %s", file).hasSize(replicas).isSubsetOf(index.nodes());
            assertThat(new HashSet<>(on)).as("nodes of %s", file).hasSize(replicas);
            bytes += replicas * file.bytes();
        }
        assertThat(index.bytes()).isEqualTo(bytes);
    }

    @Test
    void slicesOfNewFilesDifferByTheLargestFileAtMost() {
        Random random = Seed.random();
        for (int round = 0; round < 200; round++) {
            int nodes = 2 + random.nextInt(8);
            List<StoredFile> layer = files("f", random, random.nextInt(300), 1 + random.nextInt(1 << 20));
            FileIndex index = new FileIndex(nodes(nodes));
            List<FileIndex.Copy> copies = index.add(layer, 1);
            assertThat(copies).hasSize(layer.size());
            long largest = layer.stream().mapToLong(StoredFile::bytes).max().orElse(0);
            long least = index.nodes().stream().mapToLong(index::bytesOn).min().orElseThrow();
            long most = index.nodes().stream().mapToLong(index::bytesOn).max().orElseThrow();
            assertThat(most - least).isLessThanOrEqualTo(largest);
            assertThat(index.plan(layer, Set.of()).largestSlice()).isEqualTo(most);
        }
    }

    @Test
    void filesThatNodesHaveAlreadyStayThereAndGetOnlyWhatTheyLack() {
        StoredFile file = new StoredFile("f", 10);
        FileIndex index = new FileIndex(nodes(3));
        index.has(file, List.of("d2", "gone", "d2"));
        assertThat(index.nodesOf(file)).containsExactly("d2");
        assertThat(index.add(List.of(file), 2)).singleElement().satisfies(copy -> {
            assertThat(copy.from()).containsExactly("d2");
            assertThat(copy.to()).isEqualTo("d0");
        });
        assertThat(index.bytesOn("d2")).isEqualTo(10);
        assertThatThrownBy(() -> index.has(file, List.of("d1"))).isInstanceOf(IllegalArgumentException.class);
        index.has(new StoredFile("nowhere", 1), List.of("gone"));
        assertThat(index.bytes()).isEqualTo(20);
    }

    @Test
    void twoReplicasAreNeverOnOneNodeAndSharedFilesStayWhereTheyAre() {
        Random random = Seed.random();
        for (int round = 0; round < 50; round++) {
            int nodes = 3 + random.nextInt(6);
            int replicas = 1 + random.nextInt(3);
            FileIndex index = new FileIndex(nodes(nodes));
            List<StoredFile> pool = files("f", random, 200, 10_000);
            Set<StoredFile> stored = new HashSet<>();
            for (int i = 0; i < 10; i++) {
                List<StoredFile> layer =
                        pool.stream().filter(unused -> random.nextInt(4) == 0).toList();
                List<List<String>> before = layer.stream().map(index::nodesOf).toList();
                List<FileIndex.Copy> copies = index.add(layer, replicas);
                for (int at = 0; at < layer.size(); at++) {
                    if (!before.get(at).isEmpty()) {
                        assertThat(index.nodesOf(layer.get(at))).isEqualTo(before.get(at));
                    }
                }
                assertThat(copies).noneMatch(copy -> stored.contains(copy.file()));
                stored.addAll(layer);
                isSound(index, stored, replicas);
            }
        }
    }

    @Test
    void oneLostNodeIsMadeGoodFromTheOthers() {
        Random random = Seed.random();
        FileIndex index = new FileIndex(nodes(6));
        List<StoredFile> layer = files("f", random, 1_000, 10_000);
        List<FileIndex.Copy> unused = index.add(layer, 3);
        for (int left = 6; left > 3; left--) {
            String victim = index.nodes().get(random.nextInt(left));
            long had = index.bytesOn(victim);
            List<FileIndex.Copy> copies = index.lose(victim);
            assertThat(copies.stream().mapToLong(copy -> copy.file().bytes()).sum())
                    .isEqualTo(had);
            for (FileIndex.Copy copy : copies) {
                assertThat(copy.from()).isNotEmpty().doesNotContain(victim, copy.to());
                assertThat(index.nodesOf(copy.file())).contains(copy.to()).containsAll(copy.from());
            }
            isSound(index, layer, 3);
        }
        String victim = index.nodes().get(0);
        assertThat(index.lose(victim)).as("there is no third node").isEmpty();
        isSound(index, layer, 2);
        assertThat(index.lose("nobody")).isEmpty();
    }

    @Test
    void copiesAfterALossAreSpreadOverTheNodesThatAreLeft() {
        FileIndex index = new FileIndex(nodes(5));
        List<StoredFile> layer = files("f", Seed.random(), 2_000, 10_000);
        List<FileIndex.Copy> unused = index.add(layer, 2);
        List<FileIndex.Copy> unusedToo = index.lose("d0");
        long least = index.nodes().stream().mapToLong(index::bytesOn).min().orElseThrow();
        long most = index.nodes().stream().mapToLong(index::bytesOn).max().orElseThrow();
        assertThat(most - least).isLessThan(least / 10);
    }

    @Test
    void aLayerIsPutTogetherFromAnyNodesThatHaveItAndLacksOnlyWhatNobodyHas() {
        Random random = Seed.random();
        FileIndex index = new FileIndex(nodes(5));
        List<StoredFile> layer = files("f", random, 500, 10_000);
        List<FileIndex.Copy> unused = index.add(layer, 3);
        for (int silent = 0; silent <= 5; silent++) {
            Set<String> dead = new HashSet<>(index.nodes().subList(0, silent));
            RestorePlan plan = index.plan(layer, dead);
            List<StoredFile> found = new ArrayList<>(plan.missing());
            plan.slices().forEach((node, files) -> {
                assertThat(dead).doesNotContain(node);
                files.forEach(file -> assertThat(index.nodesOf(file)).contains(node));
                found.addAll(files);
            });
            assertThat(found).containsExactlyInAnyOrderElementsOf(layer);
            assertThat(plan.missing()).allSatisfy(file -> assertThat(dead).containsAll(index.nodesOf(file)));
            if (silent <= 2) {
                assertThat(plan.missing()).isEmpty();
                assertThat(plan.bytes(plan.master())).isEqualTo(plan.largestSlice());
            }
        }
    }

    @Test
    void moreReplicasThanNodesAreRefusedAndNothingIsStoredThen() {
        FileIndex index = new FileIndex(nodes(2));
        StoredFile file = new StoredFile("f", 1);
        assertThatThrownBy(() -> index.add(List.of(file), 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("there are 2");
        assertThat(index.nodesOf(file)).isEmpty();
        assertThat(index.bytes()).isZero();
        assertThatThrownBy(() -> new StoredFile("f", -1)).isInstanceOf(IllegalArgumentException.class);
    }
}
