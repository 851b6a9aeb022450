package io.packing.it.style;

import java.util.ArrayList;
import java.util.List;
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

    /** Neither no seed nor one that never changes: a run draws one, says it, and can be repeated. */
    static final StyleRule SEEDED_TESTS = nowhere(
            "\\bnew\\s+(?:\\w+\\.)*(?:Splittable)?Random\\(\\s*(?:-?[\\d_]\\w*)?\\s*\\)",
            source -> !source.main(),
            "take it from Seed, which is -Dpacking.seed");

    /** Files that are longer than they should be, and may not grow. */
    static final StyleRule SMALL_FILES = source -> {
        return source.lines() > MOST_LINES
                ? List.of("%s: %d lines, at most %d: look for the second idea in it"
                        .formatted(source.path(), source.lines(), MOST_LINES))
                : List.of();
    };

    /** Nowhere, or nowhere where the rule applies. */
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
