// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.cache.CachePolicy;
import io.packing.sim.RunResult;
import io.packing.sim.registry.RegistryCacheRun.Fetch;
import io.packing.sim.registry.RegistryRequest.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegistryCacheRunTest {
    private static final long SECOND = 1_000_000;
    private static final Fetch SLOW = new Fetch(SECOND, 1e12, 1);

    private static RegistryTrace trace(RegistryRequest... requests) {
        return new RegistryTrace(
                List.of(requests), new long[] {100, 200, 300}, List.of(new int[] {0, 1}, new int[] {0, 2}));
    }

    private static RegistryRequest at(double seconds, int user, Kind kind, int object) {
        return new RegistryRequest((long) (seconds * SECOND), user, kind, object);
    }

    private static RunResult run(RegistryTrace trace, Prediction prediction, double share) {
        return RegistryCacheRun.of(trace, CachePolicy.ARC, prediction, share, SLOW, played -> {});
    }

    @Test
    void aLayerThatIsPulledBeforeItIsThereWaitsForTheRest() {
        RegistryTrace trace =
                trace(at(0, 1, Kind.GET_MANIFEST, 0), at(0.5, 1, Kind.GET_LAYER, 0), at(5, 1, Kind.GET_LAYER, 1));
        RunResult run = run(trace, Prediction.USER, 1);
        assertThat(run.metric("waits")).isEqualTo(1);
        assertThat(run.metric("mean-wait-ms")).isEqualTo(500);
        assertThat(run.metric("hits")).isEqualTo(1);
        assertThat(run.metric("fetched")).isEqualTo(2);
        assertThat(run.metric("fetched-unused-ratio")).isZero();
        assertThat(run(trace, Prediction.NONE, 1).metric("misses")).isEqualTo(2);
    }

    @Test
    void layersThatTheUserHasAreNotFetchedForHim() {
        RegistryTrace trace = trace(
                at(0, 1, Kind.GET_LAYER, 0),
                at(10, 1, Kind.GET_MANIFEST, 1),
                at(20, 1, Kind.GET_LAYER, 2),
                at(30, 2, Kind.GET_MANIFEST, 1),
                at(40, 2, Kind.GET_LAYER, 0));
        RunResult run = run(trace, Prediction.USER, 1);
        // Only layer 2: layer 0 is in the cache when the second user asks for the manifest.
        assertThat(run.metric("fetched")).isEqualTo(1);
        assertThat(run.metric("hits")).isEqualTo(2);
        assertThat(run.metric("misses")).isEqualTo(1);
    }

    @Test
    void pushedLayersAreThereAtOnceWhenPushesArePredicted() {
        RegistryTrace trace =
                trace(at(0, 9, Kind.PUT_LAYER, 1), at(1, 9, Kind.PUT_LAYER, 2), at(2, 1, Kind.GET_LAYER, 1));
        RunResult run = run(trace, Prediction.PUT, 3);
        assertThat(run.metric("hits")).isEqualTo(1);
        assertThat(run.metric("fetched")).isEqualTo(2);
        assertThat(run.metric("fetched-unused-ratio")).isEqualTo(0.5);
        assertThat(run(trace, Prediction.USER, 3).metric("misses")).isEqualTo(1);
    }

    @Test
    void whatDoesNotFitPassesBy() {
        RegistryTrace trace =
                trace(at(0, 1, Kind.GET_MANIFEST, 0), at(5, 1, Kind.GET_LAYER, 0), at(6, 1, Kind.GET_LAYER, 1));
        // 150 bytes: layer 0 fits, layer 1 does not.
        RunResult run = run(trace, Prediction.USER, 0.5);
        assertThat(run.metric("hits")).isEqualTo(1);
        assertThat(run.metric("misses")).isEqualTo(1);
        assertThat(run.metric("fetched")).isEqualTo(1);
    }

    @Test
    void theSyntheticTraceHasTheSkewThatThePaperPublishes() {
        SyntheticRegistry parameters = new SyntheticRegistry(
                500, 20, 500, 5_000, 0.9, 3, 0.003, 0.05, 2 * SECOND, 1_000_000, 2, 20_000_000, 1);
        RegistryTrace trace = parameters.make();
        assertThat(trace.pulledOnce()).isBetween(0.93, 0.999);
        assertThat(parameters.make()).usingRecursiveComparison().isEqualTo(trace);
        long last = 0;
        for (RegistryRequest request : trace.requests()) {
            assertThat(request.micros()).isGreaterThanOrEqualTo(last);
            last = request.micros();
        }
        Fetch fetch = new Fetch(20_000, 2e8, 4);
        double lru = RegistryCacheRun.of(trace, CachePolicy.LRU, Prediction.NONE, 0.05, fetch, played -> {})
                .metric("hit-ratio");
        double arc = RegistryCacheRun.of(trace, CachePolicy.ARC, Prediction.NONE, 0.05, fetch, played -> {})
                .metric("hit-ratio");
        double user = RegistryCacheRun.of(trace, CachePolicy.ARC, Prediction.USER, 0.05, fetch, played -> {})
                .metric("hit-ratio");
        System.out.printf("lru %.3f arc %.3f arc+p-ub %.3f once %.3f%n", lru, arc, user, trace.pulledOnce());
        assertThat(user).isGreaterThan(arc).isGreaterThan(lru);
    }
}
