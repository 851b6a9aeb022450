// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.lab.compare.FigureSpread;
import java.io.PrintWriter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * All starts of a suite, and their medians over images.
 *
 * @param figures {@code cold}, of images on new machines, and {@code warm}, on machines that had started the bases
 * @param failed images that could not be built or started, and why
 */
public record HelloSuiteResult(
        int images, Map<String, Figures> figures, List<HelloStart> starts, Map<String, String> failed) {
    private static final String COLD = "cold";
    private static final String WARM = "warm";

    public HelloSuiteResult {
        figures = Collections.unmodifiableMap(new TreeMap<>(figures));
        starts = List.copyOf(starts);
        failed = Collections.unmodifiableMap(new TreeMap<>(failed));
    }

    /**
     * Medians over images, with the least and the most.
     *
     * @param deployment the peer's pull and run to ours
     * @param firstDeployment that of the first start anywhere; NaN if not cold
     * @param development the peer's compression, push, pull and run to our push and first start; NaN if not cold
     * @param limit the peer's pull and run to its second run
     * @param rerun our second run to the peer's
     * @param read the store's bytes for a start, of the image
     * @param pullFraction the part of the pull in the peer's pull and run
     */
    record Figures(
            FigureSpread layers,
            FigureSpread bytes,
            @JsonProperty("gzip_bytes") FigureSpread gzipBytes,
            FigureSpread deployment,
            @JsonProperty("first_deployment") FigureSpread firstDeployment,
            FigureSpread development,
            FigureSpread limit,
            FigureSpread rerun,
            FigureSpread read,
            @JsonProperty("first_read") FigureSpread firstRead,
            @JsonProperty("pull_fraction") FigureSpread pullFraction,
            @JsonProperty("peer_push_s") FigureSpread peerPush,
            @JsonProperty("peer_pull_s") FigureSpread peerPull,
            @JsonProperty("peer_run_s") FigureSpread peerRun,
            @JsonProperty("peer_rerun_s") FigureSpread peerRerun,
            @JsonProperty("push_s") FigureSpread push,
            @JsonProperty("pull_s") FigureSpread pull,
            @JsonProperty("first_run_s") FigureSpread firstRun,
            @JsonProperty("run_s") FigureSpread run,
            @JsonProperty("rerun_s") FigureSpread rerunS,
            FigureSpread load) {
        static Figures of(List<HelloStart> all) {
            return new Figures(
                    spread(all, each -> each.facts().layers()),
                    spread(all, each -> each.facts().bytes()),
                    spread(all, each -> each.facts().gzipBytes()),
                    spread(all, HelloStart::deployment),
                    spread(all, HelloStart::firstDeployment),
                    spread(all, HelloStart::development),
                    spread(all, HelloStart::limit),
                    spread(all, HelloStart::rerun),
                    spread(all, HelloStart::readFraction),
                    spread(all, HelloStart::firstReadFraction),
                    spread(all, HelloStart::pullFraction),
                    spread(all, each -> each.peer().gzipS() + each.peer().pushS()),
                    spread(all, each -> each.peer().pullS()),
                    spread(all, each -> each.peer().runS()),
                    spread(all, each -> each.peer().rerunS()),
                    spread(all, each -> each.own().pushS()),
                    spread(all, each -> each.own().pullS()),
                    spread(all, each -> each.own().firstRunS()),
                    spread(all, each -> each.own().runS()),
                    spread(all, each -> each.own().rerunS()),
                    spread(all, each -> each.facts().load()));
        }

        private static FigureSpread spread(List<HelloStart> all, ToDoubleFunction<HelloStart> of) {
            return FigureSpread.of(all.stream().map(of::applyAsDouble).toList());
        }

        private void print(PrintWriter out, String name) {
            out.printf("%s: layers %s, bytes %s, gzipped %s, load %s%n", name, layers, bytes, gzipBytes, load);
            out.printf(
                    "  peer: push %s s, pull %s s, run %s s, second run %s s; the pull is %s of pull and run%n",
                    peerPush, peerPull, peerRun, peerRerun, pullFraction);
            out.printf("  ours: push %s s, pull %s s, run %s s, second run %s s%n", push, pull, run, rerunS);
            out.printf("  deployment: %s times as fast; limit %s%n", deployment, limit);
            out.printf("  second run: %s of the peer's; read for a start: %s of the image%n", rerun, read);
            if (!Double.isNaN(firstDeployment.median())) {
                out.printf(
                        "  first start anywhere: %s times as fast; with the push %s; read %s of the image%n",
                        firstDeployment, development, firstRead);
            }
        }
    }

    static HelloSuiteResult of(List<HelloStart> starts, Map<String, String> failed) {
        Map<String, Figures> figures = new TreeMap<>();
        starts.stream()
                .collect(Collectors.groupingBy(each -> each.facts().isCold() ? COLD : WARM))
                .forEach((name, all) -> figures.put(name, Figures.of(all)));
        long images =
                starts.stream().map(each -> each.facts().image()).distinct().count();
        return new HelloSuiteResult(Math.toIntExact(images), figures, starts, failed);
    }

    /** The form for people. */
    public void print(PrintWriter out) {
        out.printf(
                "%-12s %6s %6s %7s %8s %8s %8s %8s %8s %8s %8s %8s%n",
                "", "layers", "", "MB", "peer", "run", "push", "pull", "first", "run", "rerun", "faster");
        for (HelloStart each : starts) {
            out.printf(
                    "%-12s %6d %6s %7.0f %8.2f %8.3f %8.3f %8.3f %8.3f %8.3f %8.3f %8.1f%n",
                    each.facts().image(),
                    each.facts().layers(),
                    each.facts().isCold() ? "cold" : "warm",
                    each.facts().bytes() / 1e6,
                    each.peer().pullS(),
                    each.peer().runS(),
                    each.own().pushS(),
                    each.own().pullS(),
                    each.own().firstRunS(),
                    each.own().runS(),
                    each.own().rerunS(),
                    each.deployment());
        }
        figures.forEach((name, each) -> each.print(out, name));
        failed.forEach((name, why) -> out.printf("%-12s failed: %s%n", name, why));
    }
}
