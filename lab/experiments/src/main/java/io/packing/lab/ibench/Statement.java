// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.packing.trace.analysis.SystemFindings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A statement of the paper with a number about its tasks, and the number of our tasks for which it holds.
 *
 * @param figure of the paper that the number belongs to
 * @param text what the tasks do
 * @param paper what the paper says
 * @param here for how many tasks it holds
 * @param of how many
 * @param median of the tasks: a percentage, or a number where the statement is about numbers; empty for no task
 * @param why Linux differs, or that it does not
 */
public record Statement(
        String figure, String text, String paper, long here, long of, Optional<Double> median, String why) {
    private static final double PERCENT = 100;
    /** The points of percentage up to which counts of tasks are alike: three of 34 tasks. */
    private static final double ALIKE = 9;

    /** A statement as statements.conf has it: about groups of a figure, or their share of others. */
    record Measure(String figure, List<String> part, String wholeFigure, List<String> whole) {
        static Measure of(Config config) {
            String figure = config.getString("figure");
            return new Measure(
                    figure,
                    config.getStringList("part"),
                    config.hasPath("whole-figure") ? config.getString("whole-figure") : figure,
                    config.hasPath("whole") ? config.getStringList("whole") : List.of());
        }

        /** A number or a percentage of a task; empty when there is nothing to have a share of. */
        Optional<Double> in(SystemFindings findings, String task) {
            double sum = sum(findings, task, figure, part);
            if (whole.isEmpty()) {
                return Optional.of(sum);
            }
            double all = sum(findings, task, wholeFigure, whole);
            return all == 0 ? Optional.empty() : Optional.of(PERCENT * sum / all);
        }

        private static double sum(SystemFindings findings, String task, String figure, List<String> groups) {
            String key = figure.toLowerCase(Locale.ROOT).replace(' ', '-');
            return groups.stream()
                    .mapToLong(group -> findings.count(key, task, group))
                    .sum();
        }
    }

    /** All statements, counted in the tasks that were found. */
    static List<Statement> all(SystemFindings findings, List<String> tasks) {
        List<Statement> statements = new ArrayList<>();
        for (Config config : config().getConfigList("statements")) {
            Measure measure = Measure.of(config);
            List<Double> values = tasks.stream()
                    .flatMap(task -> measure.in(findings, task).stream())
                    .sorted()
                    .toList();
            long here = values.stream().filter(value -> holds(config, value)).count();
            statements.add(new Statement(
                    measure.figure(),
                    config.getString("text"),
                    config.getString("paper"),
                    here,
                    values.size(),
                    values.isEmpty() ? Optional.empty() : Optional.of(values.get(values.size() / 2)),
                    why(config, here, values.size())));
        }
        return statements;
    }

    /** Chooses the sentence on a difference by the count: the known reason only explains a difference to its side. */
    static String why(Config config, long here, long of) {
        if (of == 0) {
            return "No task has any.";
        }
        double share = PERCENT * here / of;
        double least = config.getDoubleList("there").get(0);
        double most = config.getDoubleList("there").get(1);
        String side = config.hasPath("side") ? config.getString("side") : "";
        String found = share < least - ALIKE ? "fewer" : share > most + ALIKE ? "more" : "";
        String text = config.getString("why");
        if (found.equals(side)) {
            return text;
        }
        return found.isEmpty()
                ? "As on the Mac."
                : String.format(
                        Locale.ROOT,
                        "%s tasks than on the Mac, %.0f %% and not %s; no reason is known.",
                        found.equals("more") ? "More" : "Fewer",
                        share,
                        least == most
                                ? String.format(Locale.ROOT, "%.0f %%", least)
                                : String.format(Locale.ROOT, "%.0f to %.0f %%", least, most));
    }

    private static boolean holds(Config config, double value) {
        return (!config.hasPath("above") || value > config.getDouble("above"))
                && (!config.hasPath("below") || value < config.getDouble("below"))
                && (!config.hasPath("least") || value >= config.getDouble("least"))
                && (!config.hasPath("most") || value <= config.getDouble("most"));
    }

    /** Why tasks of an application differ from the paper's; empty for those that the paper does not have. */
    static String whyOf(String task) {
        Config applications = config().getConfig("applications");
        return applications.root().keySet().stream()
                .filter(application -> task.startsWith(application + "-"))
                .findFirst()
                .map(applications::getString)
                .orElse("");
    }

    static Config config() {
        return ConfigFactory.parseResources(Statement.class, "statements.conf");
    }
}
