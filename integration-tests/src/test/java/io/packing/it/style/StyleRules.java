// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rules that look at one file at a time. */
final class StyleRules {
    static final int MOST_LINES = 400;

    private StyleRules() {}

    static final StyleRule EXPLICIT_TYPES =
            nowhere("\\bvar\\s+[\\w$]+\\s*[=:,)]", source -> true, "var: write the type");

    static final StyleRule ONE_NAME_FOR_LOGGERS = nowhere(
            "\\bLogger\\s+(?!LOG\\b)\\w+\\s*=\\s*LoggerFactory\\b|\\bfinal\\s+Logger\\s+(?!LOG\\b)\\w+",
            source -> true,
            "a logger is LOG");

    static final StyleRule NO_ASSERT =
            nowhere("\\bassert\\b", JavaSource::main, "assert is off in production: check, and throw what it means");

    /** A rule against missing and constant seeds: a run draws one, prints it, and can be repeated. */
    static final StyleRule SEEDED_TESTS = nowhere(
            "\\bnew\\s+(?:\\w+\\.)*(?:Splittable)?Random\\(\\s*(?:-?[\\d_]\\w*)?\\s*\\)",
            source -> !source.main(),
            "take it from Seed, which is -Dpacking.seed");

    /** The classes that get their seed from their caller, or that make equal bytes from a number. */
    private static final Set<String> GIVEN_SEEDS = Set.of(
            "Events",
            "FullDiskLevelDb",
            "KilledWorker",
            "PackingWorkerTest",
            "RemotePackingFileSystemTest",
            "RollbackWorld",
            "TracedHdfs");
    /** The long hunts, of which a build repeats a short piece. */
    private static final Set<String> HUNTS = Set.of(
            "ChaosIT",
            "FuseChaosIT",
            "FuzzTest",
            "MasterGroupChaosIT",
            "PlantedBugTest",
            "PlantedInsiderTest",
            "PlantedOpenerTest",
            "RollbackModelTest");

    private static final Pattern RANDOM =
            Pattern.compile("\\bnew\\s+(?:Splittable)?Random\\(|\\bRandomGeneratorFactory\\b");
    private static final Pattern SEED = Pattern.compile("\\bSeed\\s*\\.");

    /** A rule that random numbers come from the seed, also through a variable or a counter. */
    static final StyleRule SEED_IS_TAKEN = source -> {
        boolean random = !source.main()
                && RANDOM.matcher(source.code()).find()
                && !GIVEN_SEEDS.contains(source.type())
                && !SEED.matcher(source.code()).find();
        boolean property =
                !source.main() && source.text().contains("getLong(\"packing.seed\"") && !HUNTS.contains(source.type());
        return random || property
                ? List.of("%s: take the seed from Seed, which is -Dpacking.seed".formatted(source.path()))
                : List.of();
    };

    /** A rule against files that are too long. */
    static final StyleRule SMALL_FILES = source -> {
        return source.lines() > MOST_LINES
                ? List.of("%s: %d lines, at most %d: look for the second idea in it"
                        .formatted(source.path(), source.lines(), MOST_LINES))
                : List.of();
    };

    /** Makes a rule against a pattern in the files to which it applies. */
    static StyleRule nowhere(String pattern, Predicate<JavaSource> applies, String instead) {
        Pattern compiled = Pattern.compile(pattern);
        return source -> {
            List<String> breaches = new ArrayList<>();
            Matcher matcher = compiled.matcher(source.code());
            while (applies.test(source) && matcher.find()) {
                breaches.add("%s: %s: %s"
                        .formatted(source.at(matcher.start()), matcher.group().replaceAll("\\s+", " "), instead));
            }
            return breaches;
        };
    }
}
