// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.packing.blob.FilePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PathPatternsTest {
    private static boolean matches(String patterns, String path) {
        return PathPatterns.parse(patterns).matches(new FilePath(path));
    }

    @ParameterizedTest
    @CsvSource({
        "/warehouse, /warehouse/t/f",
        "/warehouse, /warehouse",
        "/a/*/c, /a/b/c/d",
        "/a/?, /a/b",
        "**/_delta_log, /w/db/t/_delta_log/0001.json",
        "**/_delta_log, /_delta_log/0001.json",
        "/w/**/metadata/*.json, /w/metadata/v1.metadata.json",
        "/w/**/metadata/*.json, /w/a/b/metadata/v1.metadata.json",
        "/w/**/metadata/*.json, /w/metadata/metadata/v1.json",
        "**, /a",
        "**/a/**/b, /a/x/a/b",
    })
    void aPathHasThePattern(String pattern, String path) {
        assertThat(matches(pattern, path)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "/warehouse, /warehouse2/f",
        "/warehouse, /a/warehouse/f",
        "/a/?, /a/bc",
        "/a/*/c, /a/b",
        "/a/*, /a",
        "**/_delta_log, /w/x_delta_log/f",
        "/w/**/metadata/*.json, /w/metadata/v1.avro",
        "**/a/**/b, /a/x/c",
    })
    void aPathDoesNotHaveThePattern(String pattern, String path) {
        assertThat(matches(pattern, path)).isFalse();
    }

    @Test
    void oneOfSeveralSuffices() {
        assertThat(matches(" /x , **/log,", "/a/log/1")).isTrue();
        assertThat(matches("", "/a")).isFalse();
        assertThat(PathPatterns.parse(" , ").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"warehouse", "*/a", "/", "/a//b", "/a/", "//a", "**x/a"})
    void textThatIsNoPatternIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PathPatterns.parse(text))
                .withMessageContaining("'" + text + "'");
    }

    @Test
    void patternsAndTheirTextAreBounded() {
        assertThatIllegalArgumentException().isThrownBy(() -> PathPatterns.parse("/a,".repeat(101)));
        assertThatIllegalArgumentException().isThrownBy(() -> PathPatterns.parse("/" + "a".repeat(1_024)));
    }

    /** The same answers as a regular expression, of which small patterns are cheap. */
    @Test
    void randomPatternsHaveTheSamePathsAsTheirRegularExpressions() {
        long seed = 20261130;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            List<String> names = new ArrayList<>();
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                names.add(random.nextInt(4) == 0 ? "**" : text(random, "ab*?"));
            }
            if (names.stream().anyMatch(name -> name.contains("**") && name.length() > 2)) {
                continue;
            }
            StringBuilder path = new StringBuilder();
            for (int n = 1 + random.nextInt(5); n > 0; n--) {
                path.append('/').append(text(random, "ab"));
            }
            String pattern = "/" + String.join("/", names);
            assertThat(matches(pattern, path.toString()))
                    .as("seed %d: %s of %s", seed, pattern, path)
                    .isEqualTo(expression(names).matcher(path).matches());
        }
    }

    private static String text(Random random, String characters) {
        StringBuilder text = new StringBuilder();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            text.append(characters.charAt(random.nextInt(characters.length())));
        }
        return text.toString();
    }

    private static Pattern expression(List<String> names) {
        StringBuilder expression = new StringBuilder();
        for (String name : names) {
            expression.append(
                    name.equals("**")
                            ? "(/[^/]+)*"
                            : "/" + name.replace("?", "[^/]").replace("*", "[^/]*"));
        }
        return Pattern.compile(expression + "(/.*)?");
    }
}
