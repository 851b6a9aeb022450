// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * The classes of an application's files and threads: the type and family of each file, and the cause of each I/O
 * (§3.3.1). {@code conf/trace/hbase.conf} is the example.
 */
public final class Rules {
    /** The type, family and cause of files and I/O without a rule. The report has them like the others. */
    public static final String UNCLASSIFIED = "unclassified";

    private static final String FAMILY_GROUP = "family";

    private record FileRule(Pattern path, String type, Optional<String> family) {
        Optional<FileClass> classify(String of) {
            Matcher matcher = path.matcher(of);
            return matcher.find()
                    ? Optional.of(new FileClass(type, family.orElseGet(() -> matcher.group(FAMILY_GROUP))))
                    : Optional.empty();
        }
    }

    private record CauseRule(Optional<String> type, Optional<Pattern> thread, Optional<Boolean> reads, int cause) {
        boolean fits(String fileType, String threadName, boolean isRead) {
            return type.map(fileType::equals).orElse(true)
                    && reads.map(wanted -> wanted == isRead).orElse(true)
                    && thread.map(pattern -> pattern.matcher(threadName).find()).orElse(true);
        }
    }

    private record CauseKey(String type, String thread, boolean reads) {}

    /** The limit of cached causes: threads have few names, but a trace may be hostile. */
    private static final int MOST_CACHED = 100_000;

    private final Config source;
    private final List<FileRule> files = new ArrayList<>();
    private final List<CauseRule> rules = new ArrayList<>();
    private final List<String> causes = new ArrayList<>(List.of(UNCLASSIFIED));
    private final Set<String> core;
    private final Map<CauseKey, Integer> known = new HashMap<>();

    private Rules(Config source) {
        this.source = source;
        for (Config rule : source.getConfigList("files")) {
            files.add(fileRule(rule));
        }
        for (Config rule : source.getConfigList("causes")) {
            rules.add(causeRule(rule));
        }
        this.core = new LinkedHashSet<>(source.getStringList("core"));
        for (String cause : core) {
            if (!causes.contains(cause)) {
                throw new IllegalArgumentException("rules: core names '%s', which no rule gives".formatted(cause));
            }
        }
    }

    /** Returns the rules for HBase. */
    public static Rules hbase() {
        return from(ConfigFactory.parseResources(Rules.class, "hbase.conf"));
    }

    /**
     * Reads rules in the form of {@code conf/trace/hbase.conf}.
     *
     * @throws IllegalArgumentException naming a missing, unknown or malformed part
     */
    public static Rules from(Config config) {
        try {
            onlyKnown(config, Set.of("files", "causes", "core"));
            return new Rules(config.resolve());
        } catch (ConfigException | PatternSyntaxException e) {
            throw new IllegalArgumentException("rules: " + e.getMessage(), e);
        }
    }

    /** Parses the rules from the result of {@link #text}. */
    static Rules parse(String text) {
        return from(ConfigFactory.parseString(text));
    }

    /** Returns the rules as text, for the tasks of a job. */
    String text() {
        return source.root().render(ConfigRenderOptions.concise());
    }

    private static FileRule fileRule(Config rule) {
        onlyKnown(rule, Set.of("path", "type", "family"));
        Pattern pattern = Pattern.compile(rule.getString("path"));
        Optional<String> family = text(rule, "family");
        if (family.isEmpty() && !rule.getString("path").contains("(?<family>")) {
            throw new IllegalArgumentException(
                    "rules: the file rule of type '%s' has no family and its pattern no group of that name"
                            .formatted(rule.getString("type")));
        }
        return new FileRule(pattern, rule.getString("type"), family);
    }

    private CauseRule causeRule(Config rule) {
        onlyKnown(rule, Set.of("type", "thread", "io", "cause"));
        String cause = rule.getString("cause");
        if (!causes.contains(cause)) {
            causes.add(cause);
        }
        Optional<Boolean> reads = text(rule, "io").map(io -> {
            if (!io.equals("read") && !io.equals("write")) {
                throw new IllegalArgumentException("rules: io is read or write, not '%s'".formatted(io));
            }
            return io.equals("read");
        });
        return new CauseRule(
                text(rule, "type"), text(rule, "thread").map(Pattern::compile), reads, causes.indexOf(cause));
    }

    private static void onlyKnown(Config config, Set<String> keys) {
        for (String key : config.root().keySet()) {
            if (!keys.contains(key)) {
                throw new IllegalArgumentException("rules: unknown key '%s'; known are %s"
                        .formatted(key, keys.stream().sorted().toList()));
            }
        }
    }

    private static Optional<String> text(Config config, String key) {
        return config.hasPath(key) ? Optional.of(config.getString(key)) : Optional.empty();
    }

    /** Returns the type and family of a file. The result is not cached: callers ask once for each file. */
    FileClass classify(String path) {
        for (FileRule rule : files) {
            Optional<FileClass> found = rule.classify(path);
            if (found.isPresent()) {
                return found.get();
            }
        }
        return FileClass.UNCLASSIFIED;
    }

    /** Returns the number of an I/O's cause, an index into {@link #causes}. */
    int cause(String type, String thread, boolean reads) {
        if (known.size() > MOST_CACHED) {
            known.clear();
        }
        return known.computeIfAbsent(new CauseKey(type, thread, reads), this::findCause);
    }

    private int findCause(CauseKey key) {
        for (CauseRule rule : rules) {
            if (rule.fits(key.type(), key.thread(), key.reads())) {
                return rule.cause();
            }
        }
        return 0;
    }

    /** Returns all causes that the rules can give. */
    List<String> causes() {
        return List.copyOf(causes);
    }

    boolean isCore(int cause) {
        return core.contains(causes.get(cause));
    }

    /** Returns the causes that are the application's own I/O. */
    Set<String> core() {
        return Set.copyOf(core);
    }
}
