// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.experiment;

import io.packing.sim.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The results of an experiment's points.
 *
 * @param seeds one list for each seed of the trace, with the results in the order of the points
 */
record Results(Experiment experiment, List<List<RunResult>> seeds) {
    /** The precision of a percentage of one seed. */
    private static final double TENTH = 0.1;

    Results {
        seeds = seeds.stream().map(List::copyOf).toList();
        if (seeds.isEmpty()) {
            throw new IllegalArgumentException("no results");
        }
        for (List<RunResult> runs : seeds) {
            if (runs.size() != experiment.points().size()) {
                throw new IllegalArgumentException("%d results for %d points"
                        .formatted(runs.size(), experiment.points().size()));
            }
        }
    }

    /** Returns the spread of a number over all seeds. */
    SeedSpread spread(ToDoubleFunction<List<RunResult>> of) {
        return SeedSpread.of(seeds.stream().mapToDouble(of).toArray());
    }

    SeedSpread spread(int point, String metric) {
        return spread(runs -> runs.get(point).metric(metric));
    }

    /** Returns the metric of a point; its median over several seeds. */
    double metric(int point, String metric) {
        return spread(point, metric).median();
    }

    /** Formats the metric of a point with its known digits: by the range of several seeds, or by the chance of one. */
    private String text(int point, String metric) {
        double chance = seeds.size() > 1
                ? 0
                : experiment.points().get(point).task().chance(seeds.get(0).get(point), metric);
        return spread(point, metric).text(chance);
    }

    int index(Map<String, String> selector) {
        int found = -1;
        for (int i = 0; i < experiment.points().size(); i++) {
            if (experiment.points().get(i).is(selector)) {
                if (found >= 0) {
                    throw new IllegalArgumentException("several points are %s; name more axes".formatted(selector));
                }
                found = i;
            }
        }
        if (found < 0) {
            throw new IllegalArgumentException("no point is %s".formatted(selector));
        }
        return found;
    }

    /** Returns whether no other point is at least as good in both metrics and better in one. Less is better. */
    boolean optimal(int point, String one, String other) {
        for (int rival = 0; rival < experiment.points().size(); rival++) {
            int first = Double.compare(metric(rival, one), metric(point, one));
            int second = Double.compare(metric(rival, other), metric(point, other));
            if (first <= 0 && second <= 0 && (first < 0 || second < 0)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the cells of the table: labels, then metrics; the first row is the head. */
    List<List<String>> table() {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>();
        experiment.axes().forEach(axis -> head.add(axis.title()));
        head.addAll(experiment.columns());
        Optional<PlotSpec> pareto = experiment.plots().stream()
                .filter(p -> p.kind() == PlotSpec.Kind.PARETO)
                .findFirst();
        pareto.ifPresent(p -> head.add("optimal"));
        rows.add(head);
        for (int i = 0; i < experiment.points().size(); i++) {
            List<String> row = new ArrayList<>(experiment.points().get(i).labels(experiment.axes()));
            for (String column : experiment.columns()) {
                row.add(text(i, column));
            }
            if (pareto.isPresent()) {
                row.add(optimal(i, pareto.get().x(), pareto.get().y().get(0)) ? "yes" : "");
            }
            rows.add(row);
        }
        return rows;
    }

    /**
     * Returns the table turned around: a row for each metric, with the baseline's number and the differences in
     * percent.
     */
    List<List<String>> differences(Map<String, String> baseline) {
        int base = index(baseline);
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("statistic", "baseline"));
        for (int i = 0; i < experiment.points().size(); i++) {
            if (i != base) {
                head.add(String.join(" ", experiment.points().get(i).labels(experiment.axes())));
            }
        }
        rows.add(head);
        for (String metric : experiment.columns()) {
            List<String> row = new ArrayList<>(List.of(metric, text(base, metric)));
            for (int i = 0; i < experiment.points().size(); i++) {
                if (i != base) {
                    int other = i;
                    SeedSpread percent = spread(runs -> 100
                            * (runs.get(other).metric(metric) / runs.get(base).metric(metric) - 1));
                    row.add(percent.text(TENTH));
                }
            }
            rows.add(row);
        }
        return rows;
    }

    List<PaperClaim.Outcome> outcomes() {
        return experiment.claims().stream().map(claim -> claim.check(this)).toList();
    }
}
