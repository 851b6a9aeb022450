// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz;

import io.packing.fuzz.battle.AttackTally;
import io.packing.fuzz.battle.Finds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The result of a run as text and as JSON. */
final class FuzzReport {
    /** The counts that programs read even without the attacker. */
    private static final List<String> ALWAYS =
            List.of("calls", "strangers", "connections", "honest_operations", "files_checked");

    private FuzzReport() {}

    static List<String> text(Fuzz.Result result) {
        List<String> lines = new ArrayList<>();
        AttackTally tally = result.tally();
        lines.add(
                "%d calls, %d of strangers and %d connections in %d s with seed %d; %d honest operations; %d files checked"
                        .formatted(
                                tally.count("calls"),
                                tally.count("strangers"),
                                tally.count("connections"),
                                result.settings().seconds(),
                                result.settings().seed(),
                                tally.count("honest_operations"),
                                tally.count("files_checked")));
        new TreeMap<>(tally.counts()).forEach((name, count) -> lines.add("  %-40s %d".formatted(name, count)));
        new TreeMap<>(tally.ends()).forEach((end, times) -> lines.add("  %-40s %d".formatted(end, times)));
        result.stacks().values().forEach(stack -> lines.add("a server logged " + stack));
        result.finds()
                .forEach(find ->
                        lines.add("FOUND %s%n  call %d: %s".formatted(find.what(), find.call(), find.message())));
        lines.add(
                result.finds().isEmpty() ? "nothing was found" : result.finds().size() + " finds");
        return lines;
    }

    static List<String> json(Fuzz.Result result) {
        Map<String, Object> all = new TreeMap<>();
        ALWAYS.forEach(name -> all.put(name, 0L));
        all.putAll(result.tally().counts());
        all.put("seed", result.settings().seed());
        all.put("seconds", result.settings().seconds());
        all.put("finds", result.finds().stream().map(Finds.Find::what).toList());
        StringBuilder text = new StringBuilder("{");
        all.forEach((key, value) -> text.append(text.length() > 1 ? "," : "")
                .append(quoted(key))
                .append(':')
                .append(value instanceof List<?> list ? list(list) : value.toString()));
        return List.of(text.append('}').toString());
    }

    private static String list(List<?> values) {
        return "["
                + String.join(
                        ",", values.stream().map(v -> quoted(v.toString())).toList())
                + "]";
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c < ' ' || c == '"' || c == '\\' || c > '~') {
                quoted.append("\\u%04x".formatted(c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }
}
