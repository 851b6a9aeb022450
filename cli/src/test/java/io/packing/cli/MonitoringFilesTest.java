// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Alert rules and dashboard ask for metrics and labels that docs/metrics.md has; other tests compare this page with the served
 * metrics.
 */
class MonitoringFilesTest {
    private static final Path ALERTS = Path.of("../conf/prometheus/alerts.yml");
    private static final Path DASHBOARD = Path.of("../conf/grafana/packing.json");

    /** The names of metrics, their labels and their meaning. */
    private static final Pattern ROW = Pattern.compile("- (`[^:(]+?)(?: \\(([^)]*)\\))?: .*");

    private static final Pattern NAME = Pattern.compile("\\b(?:packing|bdt)_[a-z_]+");
    private static final Pattern SELECTOR = Pattern.compile("\\b((?:packing|bdt)_[a-z_]+)\\{([^}]*)}");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+) *(?:=~|!~|!=|=)");
    private static final Pattern BY = Pattern.compile("\\bby \\(([a-z_, ]+)\\)");
    private static final Pattern TEMPLATE = Pattern.compile("\\{\\{ *(?:\\$labels\\.)?([a-z_]+) *}}");
    /** The labels that Prometheus gives every series. */
    private static final Set<String> EVERYWHERE = Set.of("instance", "job");

    /** The labels of each documented metric, by its name. */
    private static Map<String, Set<String>> documented() throws IOException {
        Map<String, Set<String>> documented = new HashMap<>();
        for (String line : Files.readAllLines(Path.of("../docs/metrics.md"))) {
            Matcher row = ROW.matcher(line);
            if (!row.matches()) {
                continue;
            }
            Set<String> labels = new HashSet<>(EVERYWHERE);
            Arrays.stream(Objects.requireNonNullElse(row.group(2), "").split(",", -1))
                    .map(String::strip)
                    .forEach(labels::add);
            NAME.matcher(row.group(1)).results().map(MatchResult::group).forEach(name -> documented.put(name, labels));
        }
        return documented;
    }

    /** An expression, and the labels that its legend or message names. */
    private record Asked(String expression, Set<String> shown) {}

    private static Set<String> shown(String text) {
        Set<String> shown = new HashSet<>();
        TEMPLATE.matcher(text).results().map(found -> found.group(1)).forEach(shown::add);
        return shown;
    }

    private static List<Asked> alerts() throws IOException {
        List<Asked> asked = new ArrayList<>();
        for (String rule : Files.readString(ALERTS).split("- alert: ", -1)) {
            rule.lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith("expr: "))
                    .forEach(line -> asked.add(new Asked(line.substring("expr: ".length()), shown(rule))));
        }
        return asked;
    }

    private static List<Asked> dashboard() throws IOException {
        List<Asked> asked = new ArrayList<>();
        for (JsonNode panel : new ObjectMapper().readTree(DASHBOARD.toFile()).get("panels")) {
            for (JsonNode target : panel.get("targets")) {
                asked.add(new Asked(
                        target.get("expr").asText(),
                        shown(target.get("legendFormat").asText())));
            }
        }
        return asked;
    }

    /** The documented metric that a name is of: a timer has several. */
    private static Optional<String> metric(String name, Set<String> documented) {
        return documented.contains(name)
                ? Optional.of(name)
                : Optional.of(name.replaceFirst("_seconds_(count|sum|max)$", "_seconds"))
                        .filter(documented::contains);
    }

    private static List<String> problems(List<Asked> asked, Map<String, Set<String>> documented) {
        List<String> problems = new ArrayList<>();
        for (Asked each : asked) {
            String expression = each.expression();
            List<String> names =
                    NAME.matcher(expression).results().map(MatchResult::group).toList();
            for (String name : names) {
                Optional<String> metric = metric(name, documented.keySet());
                if (metric.isEmpty()) {
                    problems.add("no metric " + name);
                    continue;
                }
                Set<String> labels = documented.getOrDefault(metric.get(), Set.of());
                Set<String> wanted = new HashSet<>(each.shown());
                BY.matcher(expression)
                        .results()
                        .flatMap(found -> Arrays.stream(found.group(1).split(",", -1)))
                        .map(String::strip)
                        .forEach(wanted::add);
                SELECTOR.matcher(expression)
                        .results()
                        .filter(found -> found.group(1).equals(name))
                        .flatMap(found -> LABEL.matcher(found.group(2)).results())
                        .forEach(found -> wanted.add(found.group(1)));
                wanted.removeAll(labels);
                wanted.forEach(label -> problems.add("%s has no label %s: %s".formatted(name, label, expression)));
            }
            if (names.isEmpty()) {
                problems.add("no metric of ours: " + expression);
            }
        }
        return problems;
    }

    @Test
    void everyMetricAndLabelIsDocumented() throws IOException {
        assertThat(alerts()).hasSizeGreaterThan(10);
        assertThat(dashboard()).hasSizeGreaterThan(20);
        assertThat(problems(alerts(), documented())).isEmpty();
        assertThat(problems(dashboard(), documented())).isEmpty();
    }

    @Test
    void whatIsNotDocumentedIsFound() throws IOException {
        assertThat(problems(
                        List.of(
                                new Asked("sum by (kind) (packing_fenced{mout=\"a\"}) > 0", Set.of()),
                                new Asked("packing_fence > 0", Set.of()),
                                new Asked("bdt_files", Set.of("part"))),
                        documented()))
                .hasSize(4)
                .anyMatch(problem -> problem.startsWith("packing_fenced has no label kind"))
                .anyMatch(problem -> problem.startsWith("packing_fenced has no label mout"))
                .anyMatch(problem -> problem.startsWith("bdt_files has no label part"))
                .contains("no metric packing_fence");
    }

    @Test
    void everyAlertSaysWhatToDo() throws IOException {
        List<String> rules = List.of(Files.readString(ALERTS).split("- alert: ", -1));
        for (String rule : rules.subList(1, rules.size())) {
            assertThat(rule).contains("severity: ", "summary: \"", "action: \"");
        }
    }
}
