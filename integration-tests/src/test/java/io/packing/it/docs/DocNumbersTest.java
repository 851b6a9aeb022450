// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A test that the counts on pages equal those of the files that they describe. */
class DocNumbersTest {
    private static String found(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertThat(matcher.find()).as(pattern).isTrue();
        return matcher.group(1);
    }

    private static String text(String file) throws IOException {
        return Files.readString(DocPage.root().resolve(file));
    }

    @Test
    void theSimulatorsPageCountsItsExperiments() throws IOException {
        Path conf = DocPage.root().resolve("conf/simulator");
        try (Stream<Path> files = Files.list(conf)) {
            long experiments =
                    files.filter(file -> file.toString().endsWith(".conf")).count();
            assertThat(found(text("docs/simulator.md"), "\\((\\d+) now\\)")).isEqualTo("" + experiments);
        }
    }

    @Test
    void theAlluxioPageSaysHowManyTasksItsTestRuns() throws IOException {
        String test = text("integration-tests/src/test/java/io/packing/it/SparkIT.java");
        assertThat(found(text("docs/alluxio.md"), "`SparkIT` runs a job of ([\\d,]+) tasks"))
                .isEqualTo(found(test, "FILES = (\\d+) \\*"));
    }
}
