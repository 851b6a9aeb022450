// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.lab.compare.Median;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Layers by their size, of which pulls take about as long. */
enum LayerSize {
    SMALL("0-1MB", 0, 1_000_000),
    MIDDLE("1-10MB", 1_000_000, 10_000_000),
    LARGE("10MB+", 10_000_000, Long.MAX_VALUE);

    private final String text;
    private final long from;
    private final long to;

    LayerSize(String text, long from, long to) {
        this.text = text;
        this.from = from;
        this.to = to;
    }

    private boolean has(long bytes) {
        return bytes >= from && bytes < to;
    }

    /** Median milliseconds of pulls, by the sizes that there are. */
    static Map<String, Double> medians(List<RegistryLoad.LayerPull> pulls) {
        Map<String, Double> medians = new LinkedHashMap<>();
        for (LayerSize size : values()) {
            List<Double> millis = pulls.stream()
                    .filter(pull -> size.has(pull.bytes()))
                    .map(RegistryLoad.LayerPull::millis)
                    .toList();
            if (!millis.isEmpty()) {
                medians.put(size.text, Median.of(millis));
            }
        }
        return medians;
    }
}
