// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the forms of numbers and sizes on the command line. */
class NumbersTest {
    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void thePricesAreThoseOfThisClone() {
        System.setProperty("packing.home", "..");
    }

    private static CommandRun estimate(String files, String size, String... more) {
        List<String> words = new ArrayList<>(List.of("estimate", "--files", files, "--size", size));
        words.addAll(List.of(more));
        return CommandRun.of(words.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"100_000_000", "1e8", "100M", "0.1G"})
    void largeNumbersAreWrittenAsPeopleDo(String files) {
        CommandRun plain = estimate("100000000", "8KB", "--rate", "1500", "--worker-rate", "15000");
        assertThat(plain.exitCode()).as(plain.err()).isEqualTo(ExitCodes.OK);
        CommandRun other = estimate(files, "8KB", "--rate", "1.5e3", "--worker-rate", "15k");
        assertThat(other.out()).as(other.err()).isEqualTo(plain.out());
    }

    @ParameterizedTest
    @CsvSource({
        "--files, 0",
        "--files, -1",
        "--files, 1.5",
        "--files, many",
        "--files, 1e19",
        "--files, 1e999999999",
        "--size, 0",
        "--size, 0KB",
        "--size, -1",
        "--size, big",
        "--rate, 0",
        "--rate, -1",
        "--rate, NaN",
        "--put-limit, 0",
        "--put-limit, Infinity",
        "--workers, 0",
        "--workers, 1e10",
        "--worker-rate, 0",
        "--worker-bandwidth, 0"
    })
    void impossibleNumbersAreRefusedByName(String option, String value) {
        CommandRun run = option.equals("--files")
                ? estimate(value, "8KB")
                : option.equals("--size") ? estimate("1000", value) : estimate("1000", "8KB", option, value);
        assertThat(run.exitCode()).as(run.out()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains(option).doesNotContain("Exception");
    }

    @Test
    void aTraceIsWrittenInSilenceWhereNobodyLooksAtATerminal() {
        String out = directory.resolve("trace").toString();
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(stderr, true, StandardCharsets.UTF_8));
        try {
            CommandRun run = CommandRun.of("trace", "synth", "--events", "1e6", "--duration", "1h", "--out", out);
            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
            assertThat(run.out()).contains(" events in 1 files").doesNotContain("\r", "\u001b");
        } finally {
            System.setErr(before);
        }
        assertThat(stderr.toString(StandardCharsets.UTF_8)).doesNotContain("\r", "\u001b");
    }
}
