// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.packing.placement.ReplicaMode;
import io.packing.placement.StoredFile;
import io.packing.sim.RunResult;
import io.packing.sim.registry.RegistryRequest.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegistryNodesRunTest {
    private static final long SECOND = 1_000_000;
    /** Reads 1,000 bytes a second and sends 2,000. */
    private static final double DISK = 1_000;

    private static final double NETWORK = 2_000;

    private static final StoredFile SHARED = new StoredFile("shared", 1_000);
    private static final List<List<StoredFile>> FILES =
            List.of(List.of(SHARED, new StoredFile("a", 1_000)), List.of(SHARED, new StoredFile("b", 1_000)));

    private static RegistryNodes nodes(String mode, double caches) {
        return new RegistryNodes(6, 3, ReplicaMode.named(mode), caches, caches, 0, DISK, NETWORK, 1, 1e9);
    }

    private static RegistryRequest at(long seconds, int user, Kind kind, int object) {
        return new RegistryRequest(seconds * SECOND, user, kind, object);
    }

    private static RegistryTrace trace(RegistryRequest... requests) {
        return new RegistryTrace(List.of(requests), new long[] {2_000, 2_000}, List.of(new int[] {0, 1}));
    }

    private static RunResult run(String mode, double caches, RegistryRequest... requests) {
        return RegistryNodesRun.of(trace(requests), FILES, nodes(mode, caches), played -> {});
    }

    @Test
    void modesStoreWholeLayersAndEachFileAsOftenAsIsLeft() {
        RegistryRequest pull = at(0, 1, Kind.GET_LAYER, 0);
        // Two layers of 2,000 bytes, three different files of 1,000.
        assertThat(run("b3", 0, pull).metric("stored-mb")).isEqualTo(0.012);
        assertThat(run("b2", 0, pull).metric("stored-mb")).isEqualTo(0.008 + 0.003);
        assertThat(run("b1", 0, pull).metric("stored-mb")).isEqualTo(0.004 + 0.006);
        assertThat(run("b0", 0, pull).metric("stored-mb")).isEqualTo(0.009);
        // The pulled layer is whole once, and its own file is stored twice.
        assertThat(run("s30%", 0, pull).metric("stored-mb")).isEqualTo(0.002 + 0.008);
        assertThat(run("s20%", 0, pull).metric("stored-mb")).isEqualTo(0.009);
        assertThat(run("b0", 0, pull).metric("dedup-ratio")).isCloseTo(12.0 / 9, within(1e-9));
        assertThat(run("b0", 0, pull).metric("primaries")).isZero();
        assertThat(run("b3", 0, pull).metric("primaries")).isEqualTo(6);
    }

    @Test
    void aWholeLayerIsReadAndSentAtOnceAndSlicesAreReadInParallel() {
        RegistryRequest pull = at(0, 1, Kind.GET_LAYER, 0);
        assertThat(run("b3", 0, pull).metric("mean-ms")).isEqualTo(2_000);
        // Each of two nodes reads 1,000 bytes, and sends while it reads.
        assertThat(run("b0", 0, pull).metric("mean-ms")).isEqualTo(1_000);
        assertThat(run("b0", 0, pull).metric("restored-ratio")).isEqualTo(1);
    }

    @Test
    void whatIsFetchedAheadIsSentWithoutTheDisk() {
        RunResult run = run("b3", 10, at(0, 1, Kind.GET_MANIFEST, 0), at(10, 1, Kind.GET_LAYER, 0));
        assertThat(run.metric("mean-ms")).isEqualTo(1_000);
        assertThat(run.metric("cached-ratio")).isEqualTo(1);
        RunResult early = run("b3", 10, at(0, 1, Kind.GET_MANIFEST, 0), at(1, 1, Kind.GET_LAYER, 0));
        assertThat(early.metric("mean-ms")).as("it waits for the rest of it").isEqualTo(2_000);
    }

    @Test
    void pullsOfOneLayerAreSpreadOverItsWholeReplicas() {
        RegistryRequest[] three = {at(0, 1, Kind.GET_LAYER, 0), at(0, 2, Kind.GET_LAYER, 0), at(0, 3, Kind.GET_LAYER, 0)
        };
        assertThat(run("b3", 0, three).metric("p99-ms")).isEqualTo(2_000);
        assertThat(run("b1", 0, three).metric("p99-ms"))
                .as("the third waits for two")
                .isEqualTo(6_000);
    }

    @Test
    void impossibleNodesAndTracesWithoutPullsAreRefused() {
        assertThatThrownBy(() -> new RegistryNodes(5, 3, ReplicaMode.named("b1"), 0, 0, 0, 1, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 5");
        assertThatThrownBy(() -> run("b1", 0, at(0, 1, Kind.GET_MANIFEST, 0)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void filesOfLayersAreSharedAsMuchAsIsAsked() {
        RegistryTrace trace =
                new SyntheticRegistry(100, 10, 50, 200, 0.9, 3, 0, 0.05, 1_000, 1 << 20, 1, 1 << 20, 1).make();
        List<List<StoredFile>> files = new SyntheticFiles(0.5, 32 << 10, 1, 100, 1).make(trace);
        assertThat(files).hasSize(trace.layers());
        double all = files.stream()
                .flatMap(List::stream)
                .mapToLong(StoredFile::bytes)
                .sum();
        double distinct = files.stream()
                .flatMap(List::stream)
                .distinct()
                .mapToLong(StoredFile::bytes)
                .sum();
        assertThat(all / distinct).isCloseTo(2, within(0.3));
        assertThat(new SyntheticFiles(0.5, 32 << 10, 1, 100, 1).make(trace)).isEqualTo(files);
    }
}
