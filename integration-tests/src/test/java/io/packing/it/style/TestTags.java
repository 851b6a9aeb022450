// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tags of test classes, by which a build and a night select what they play. A class without a tag is a unit test: it starts no
 * process, and is done in seconds.
 */
final class TestTags implements StyleRule {
    static final Set<String> KNOWN = Set.of("process", "cluster", "hunt", "experiment");

    private static final Pattern CLASS =
            Pattern.compile("(?m)^(?:public )?(?:final )?class \\w+(?:Test|IT)\\b( extends\\b)?");
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([^\"]*)\"\\)");
    private static final Pattern PROCESS =
            Pattern.compile("\\bnew ProcessBuilder\\(|\\bJavaProcess\\b|\\bWorkspace\\.create\\(");

    /** Properties that make a class play longer. */
    private static final Pattern ROUNDS = Pattern.compile(
            "get(?:Integer|Long)\\(\"packing\\.(?:\\w+\\.)?(?:rounds|lives|schedules|seconds|commits|random)\"");

    @Override
    public List<String> breaches(JavaSource source) {
        Matcher named = CLASS.matcher(source.code());
        if (source.main() || !named.find()) {
            return List.of();
        }
        // A class takes the tag of the one that it extends.
        boolean inherits = named.group(1) != null;
        List<String> tags = new ArrayList<>();
        Matcher matcher = TAG.matcher(source.text());
        while (matcher.find()) {
            tags.add(matcher.group(1));
        }
        List<String> breaches = new ArrayList<>();
        if (!KNOWN.containsAll(tags) || tags.size() > 1) {
            breaches.add("%s: %s: a class has one tag of %s, or none".formatted(source.path(), tags, KNOWN));
        } else if (tags.isEmpty() && ROUNDS.matcher(source.text()).find()) {
            breaches.add("%s: a property makes it longer: tag it as a hunt, so that the night plays it longer"
                    .formatted(source.path()));
        } else if (tags.isEmpty()
                && !inherits
                && (source.type().endsWith("IT")
                        || PROCESS.matcher(source.code()).find())) {
            breaches.add(
                    "%s: it starts processes: tag it as process, cluster, hunt or experiment".formatted(source.path()));
        }
        return breaches;
    }
}
