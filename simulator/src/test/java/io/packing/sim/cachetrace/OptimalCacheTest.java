// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.cache.CachePolicy;
import io.packing.sim.RunResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptimalCacheTest {
    private static ZipfRequests trace(int requests) {
        return new ZipfRequests(300, requests, 0.8, 0.1, 7);
    }

    private static double hits(int requests, int capacity) throws IOException {
        try (ZipfRequests trace = trace(requests);
                ZipfRequests again = trace(requests)) {
            RunResult run = CacheRun.optimal(trace, again, capacity, played -> {});
            assertThat(run.metric("requests")).isEqualTo(requests);
            return run.metric("hits");
        }
    }

    /** A search of the rest of the trace for each object that could leave. */
    private static double naive(int requests, int capacity) throws IOException {
        List<Long> objects = new ArrayList<>();
        try (ZipfRequests trace = trace(requests)) {
            while (trace.advance()) {
                objects.add(trace.object());
            }
        }
        List<Long> held = new ArrayList<>();
        int hits = 0;
        for (int i = 0; i < objects.size(); i++) {
            if (held.contains(objects.get(i))) {
                hits++;
                continue;
            }
            if (held.size() == capacity) {
                List<Long> rest = objects.subList(i + 1, objects.size());
                int latest = 0;
                int furthest = -1;
                for (int at = 0; at < held.size(); at++) {
                    int next = rest.indexOf(held.get(at));
                    int turn = next < 0 ? Integer.MAX_VALUE : next;
                    if (turn > furthest) {
                        furthest = turn;
                        latest = at;
                    }
                }
                held.remove(latest);
            }
            held.add(objects.get(i));
        }
        return hits;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 100, 400})
    void evictsTheObjectThatIsRequestedLast(int capacity) throws IOException {
        assertThat(hits(3000, capacity)).isEqualTo(naive(3000, capacity));
    }

    @ParameterizedTest
    @EnumSource
    void noPolicyThatTakesEachObjectInHitsMore(CachePolicy policy) throws IOException {
        for (int capacity : new int[] {5, 50, 200}) {
            try (ZipfRequests trace = trace(20_000)) {
                RunResult run = CacheRun.of(trace, policy, capacity, played -> {});
                assertThat(run.metric("hits")).isLessThanOrEqualTo(hits(20_000, capacity));
            }
        }
    }

    @Test
    void aCacheOfNothingIsRefused() {
        assertThatThrownBy(() -> hits(10, 0)).hasMessageContaining("capacity 0");
    }
}
