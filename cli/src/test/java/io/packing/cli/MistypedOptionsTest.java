// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options that a command does not know. */
class MistypedOptionsTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mounts --mastr 127.0.0.1:19990|unknown option --mastr; did you mean --master?
            mounts --mastr=127.0.0.1:19990|unknown option --mastr; did you mean --master?
            worker --id w --buffer-dir d --mastr h:1|unknown option --mastr; did you mean --master?
            drain worker-1 --mastr h:1|unknown option --mastr; did you mean --master?
            copy a b --cheksum|unknown option --cheksum; did you mean --checksum?
            registry gc --stor packing://h:1/r|unknown option --stor; did you mean --store?
            fsck --master h:1 --utterly-unknown|unknown option --utterly-unknown
            """)
    void theTypoAndTheNearestOptionAreNamed(String words, String want) {
        CommandRun run = CommandRun.of(words.split(" ", -1));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err().lines().findFirst()).hasValue(want);
        assertThat(run.err()).contains("--help").doesNotContain("Missing required");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            worker --id w|Missing required option: '--buffer-dir
            mounts --prices|Missing required parameter
            """)
    void whatIsMissingIsNamedWhenNothingIsMistyped(String words, String want) {
        CommandRun run = CommandRun.of(words.split(" ", -1));
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).startsWith(want);
    }
}
