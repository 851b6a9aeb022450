// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.packing.options.PriceTable;
import io.packing.sim.ListSource;
import io.packing.sim.RunResult;
import io.packing.sim.pack.PackSimulation;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OptionSearchTest {
    private static final PriceTable S3 = new PriceTable(0.005, 0.005, 0.0004, 0.0004, 1e9, 0.023, 0, 3_500);
    private static final int FILES = 600;

    private final List<TraceEvent> events = new ArrayList<>();

    /** Files of 100 KB, one each 100 ms, for a minute. */
    private RunResult play(PackSimulation simulation) throws IOException {
        return simulation.run(List.of(new ListSource(events)), played -> {});
    }

    private static TraceEvent event(Call call, String path, long nanos, long result) {
        return new TraceEventBuilder(call)
                .at(nanos, nanos)
                .path(path)
                .result(result)
                .build();
    }

    private static Config stack() {
        Map<String, Object> values = new HashMap<>();
        S3.values().forEach((key, value) -> values.put("store.prices." + key, value));
        values.put("workers.count", 1);
        return ConfigFactory.parseMap(values);
    }

    @Test
    void recommendsTheYoungestSealThatCostsNearlyAsLittleAsTheCheapest() throws IOException {
        for (int i = 0; i < FILES; i++) {
            long nanos = i * 100_000_000L;
            events.add(event(Call.WRITE, "/d/" + i, nanos, 100_000));
            events.add(event(Call.CLOSE_OUTPUT, "/d/" + i, nanos + 1_000, 100_000));
        }
        OptionSearch found = OptionSearch.of(stack(), this::play);
        assertThat(found.direct().bill().puts()).isEqualTo(FILES);
        assertThat(found.direct().bill().dollars()).isCloseTo(S3.requests(FILES, 0, 0, 0), within(1e-12));
        double cheapest = found.packed().stream()
                .mapToDouble(choice -> choice.bill().dollars())
                .min()
                .orElseThrow();
        OptionSearch.Choice best = found.recommended();
        assertThat(best.bill().dollars()).isLessThanOrEqualTo(cheapest * 1.01);
        assertThat(found.packed())
                .filteredOn(choice -> choice.sealAfter().compareTo(best.sealAfter()) < 0)
                .allMatch(choice -> choice.bill().dollars() > cheapest * 1.01);
        // 60 MB in a minute fill blobs of 4 MB every four seconds, whatever the age.
        OptionSearch.Choice small = OptionSearch.packed(stack(), this::play, 4 << 20, best.sealAfter());
        assertThat(small.bill().puts()).isBetween(14.0, 17.0);
        assertThat(small.durableSeconds()).isLessThan(best.durableSeconds());
    }
}
