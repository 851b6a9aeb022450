package io.packing.sim.experiment;

import io.packing.sim.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What each point of an experiment gave, in the order of the points. */
record Results(Experiment experiment, List<RunResult> runs) {
    Results {
        runs = List.copyOf(runs);
        if (runs.size() != experiment.points().size()) {
            throw new IllegalArgumentException("%d results for %d points"
                    .formatted(runs.size(), experiment.points().size()));
        }
    }

    /** A metric of the one point that {@code selector} names. */
    double metric(Map<String, String> selector, String metric) {
        return runs.get(index(selector)).metric(metric);
    }

    int index(Map<String, String> selector) {
        int found = -1;
        for (int i = 0; i < runs.size(); i++) {
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

    /** Whether no other point is at least as good in both metrics, and better in one; less is better. */
    boolean optimal(int point, String one, String other) {
        var mine = runs.get(point);
        for (var rival : runs) {
            var better = rival.metric(one) < mine.metric(one) || rival.metric(other) < mine.metric(other);
            if (better && rival.metric(one) <= mine.metric(one) && rival.metric(other) <= mine.metric(other)) {
                return false;
            }
        }
        return true;
    }

    /** Cells of the table: labels, then metrics; the first row is the head. */
    List<List<String>> table() {
        var rows = new ArrayList<List<String>>();
        var head = new ArrayList<String>();
        experiment.axes().forEach(axis -> head.add(axis.title()));
        head.addAll(experiment.columns());
        var pareto = experiment.plots().stream()
                .filter(p -> p.kind() == PlotSpec.Kind.PARETO)
                .findFirst();
        pareto.ifPresent(p -> head.add("optimal"));
        rows.add(head);
        for (int i = 0; i < runs.size(); i++) {
            var row = new ArrayList<>(experiment.points().get(i).labels(experiment.axes()));
            for (var column : experiment.columns()) {
                row.add(Numbers.text(runs.get(i).metric(column)));
            }
            if (pareto.isPresent()) {
                row.add(optimal(i, pareto.get().x(), pareto.get().y().get(0)) ? "yes" : "");
            }
            rows.add(row);
        }
        return rows;
    }

    /** The table turned around: a row per metric, the baseline's number and by how many percent the others differ. */
    List<List<String>> differences(Map<String, String> baseline) {
        var base = index(baseline);
        var rows = new ArrayList<List<String>>();
        var head = new ArrayList<>(List.of("statistic", "baseline"));
        for (int i = 0; i < runs.size(); i++) {
            if (i != base) {
                head.add(String.join(" ", experiment.points().get(i).labels(experiment.axes())));
            }
        }
        rows.add(head);
        for (var metric : experiment.columns()) {
            var of = runs.get(base).metric(metric);
            var row = new ArrayList<>(List.of(metric, Numbers.text(of)));
            for (int i = 0; i < runs.size(); i++) {
                if (i != base) {
                    row.add(Numbers.text(Math.round(1000 * (runs.get(i).metric(metric) / of - 1)) / 10.0));
                }
            }
            rows.add(row);
        }
        return rows;
    }

    List<Claim.Outcome> outcomes() {
        return experiment.claims().stream().map(claim -> claim.check(this)).toList();
    }
}
