// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * A client without packing, beside the packed side.
 *
 * @param client its name
 * @param settings its version and its retries, in words
 * @param repeated puts that the client gave up, and that the program did again
 * @param secondsRatio its seconds to those of each packed run
 * @param dollarsRatio its dollars to those of the median packed run
 */
public record Baseline(
        String client,
        String settings,
        SideResult side,
        long repeated,
        @JsonProperty("seconds_ratio") FigureSpread secondsRatio,
        @JsonProperty("dollars_ratio") double dollarsRatio) {
    /** Returns the requests that the store refused for 1,000 files (Figure 1b). */
    @JsonProperty("throttled_per_1000")
    public double throttledPer1000() {
        return 1_000.0 * side.throttled() / side.files();
    }
}
