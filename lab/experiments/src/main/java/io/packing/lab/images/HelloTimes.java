// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.lab.compare.Median;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Seconds of one image, or medians over images.
 *
 * @param pushS until the push was answered
 * @param pullS until a container could be started
 * @param runS of the first container
 * @param rerunS of the second one
 */
public record HelloTimes(
        @JsonProperty("push_s") double pushS,
        @JsonProperty("pull_s") double pullS,
        @JsonProperty("run_s") double runS,
        @JsonProperty("rerun_s") double rerunS) {
    /** The medians of each of them. */
    static HelloTimes medians(List<HelloTimes> all) {
        return new HelloTimes(
                median(all, HelloTimes::pushS),
                median(all, HelloTimes::pullS),
                median(all, HelloTimes::runS),
                median(all, HelloTimes::rerunS));
    }

    private static double median(List<HelloTimes> all, ToDoubleFunction<HelloTimes> of) {
        return Median.of(all.stream().map(of::applyAsDouble).toList());
    }

    /** The deployment cycle (Slacker, Figure 5.6): pull and run. */
    double deployment() {
        return pullS + runS;
    }

    /** The development cycle: push, pull and run. */
    double development() {
        return pushS + deployment();
    }
}
