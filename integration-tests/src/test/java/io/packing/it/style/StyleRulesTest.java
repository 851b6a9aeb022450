// SPDX-License-Identifier: Apache-2.0
package io.packing.it.style;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The style of CONTRIBUTING.md as tests, over the sources of all modules. */
class StyleRulesTest {
    private static List<JavaSource> sources = List.of();

    @BeforeAll
    static void readSources() throws IOException {
        sources = ProjectSources.all();
    }

    private static void check(StyleRule rule) {
        assertThat(sources.stream().flatMap(source -> rule.breaches(source).stream()))
                .isEmpty();
    }

    @Test
    void theSourcesOfAllModulesAreRead() throws IOException {
        assertThat(sources)
                .extracting(JavaSource::type)
                .contains("FilePath", "LayerRulesTest", "StyleRulesTest", "PackingUnderFileSystem");
        Path root = ProjectSources.root();
        assertThat(sources)
                .extracting(JavaSource::module)
                .containsAll(ProjectSources.modules(root).stream()
                        .filter(module -> Files.isDirectory(root.resolve(module).resolve("src/main/java"))
                                || Files.isDirectory(root.resolve(module).resolve("src/test/java")))
                        .toList());
    }

    @Test
    void typesAreWrittenOut() {
        check(StyleRules.EXPLICIT_TYPES);
    }

    @Test
    void everyLoggerIsCalledLog() {
        check(StyleRules.ONE_NAME_FOR_LOGGERS);
    }

    @Test
    void classesAreImported() {
        check(new ImportedNames(sources));
    }

    @Test
    void oneNameHasOneMeaning() {
        UniqueNames rule = new UniqueNames(sources, UniqueNames.SHARED);
        check(rule);
        assertThat(rule.unusedAllowances()).isEmpty();
        assertThat(UniqueNames.SHARED).hasSizeLessThanOrEqualTo(UniqueNames.MOST_SHARED);
    }

    @Test
    void mainCodeHasNoAssert() {
        check(StyleRules.NO_ASSERT);
    }

    @Test
    void testsDrawTheirSeed() {
        check(StyleRules.SEEDED_TESTS);
        check(StyleRules.SEED_IS_TAKEN);
    }

    @Test
    void filesAreSmall() {
        check(StyleRules.SMALL_FILES);
    }

    @Test
    void testsAreTagged() {
        check(new TestTags());
    }

    @Test
    void timeRandomnessAndWaitingComeFromOutside() {
        check(new OutsideTime());
    }
}
