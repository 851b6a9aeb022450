// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.cli.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of a night. */
class NightlyTest {
    private static List<Nightly.Outcome> run(Nightly.Runner runner, List<String> lines) throws InterruptedException {
        return Nightly.run(
                Nightly.parts(7, List.of("tests", "chaos", "fuzz")),
                runner,
                System::nanoTime,
                outcome -> lines.add(outcome.line(Path.of("logs"))));
    }

    @Test
    void aPartThatFailsDoesNotEndTheNight() throws InterruptedException {
        List<String> lines = new ArrayList<>();
        List<Nightly.Outcome> outcomes = run(part -> part.name().equals("tests") ? 1 : 0, lines);
        assertThat(outcomes).extracting(Nightly.Outcome::exitCode).containsExactly(1, 0, 0);
        assertThat(lines.get(0)).startsWith("tests").endsWith("FAILED with 1, see logs/tests.log");
        assertThat(lines.get(1)).startsWith("chaos").endsWith("passed");
        assertThat(Nightly.summary(outcomes)).isEqualTo("1 of 3 parts failed: tests");
    }

    @Test
    void aPartThatCannotBeStartedHasFailed() throws InterruptedException {
        List<Nightly.Outcome> outcomes = run(
                part -> {
                    if (part.name().equals("chaos")) {
                        throw new IOException("there is no bin/lab");
                    }
                    return 0;
                },
                new ArrayList<>());
        assertThat(outcomes).extracting(Nightly.Outcome::passed).containsExactly(true, false, true);
    }

    @Test
    void aNightWithoutAFailureSaysSo() throws InterruptedException {
        assertThat(Nightly.summary(run(part -> 0, new ArrayList<>()))).isEqualTo("all 3 parts passed");
    }

    @Test
    void everyPartTakesTheSeed() {
        assertThat(Nightly.parts(4711, List.of()))
                .extracting(part -> String.join(" ", part.words()))
                .hasSize(9)
                .allSatisfy(line -> assertThat(line).containsAnyOf("seed=4711", "--seed 4711"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"chaos", "masters", "fuse", "fuzz", "soak", "farm", "histories", "specification"})
    void everyCommandOfTheLaboratoryExists(String name) {
        List<String> words = Nightly.parts(1, List.of(name)).get(0).words();
        assertThat(words.get(0)).isEqualTo("bin/lab");
        List<Program> called = new ArrayList<>();
        for (Program program : Program.values()) {
            List<String> path =
                    program.parent().isEmpty() ? List.of(program.word()) : List.of(program.parent(), program.word());
            if (words.subList(1, 1 + path.size()).equals(path)) {
                called.add(program);
            }
        }
        assertThat(called).as(words.toString()).isNotEmpty();
    }

    @Test
    void anUnknownPartIsRefusedWithThoseThatThereAre() {
        System.setProperty(
                "packing.home", Path.of("../..").toAbsolutePath().normalize().toString());
        LabRun run = LabRun.of("nightly", "--only", "chaso");
        assertThat(run.exitCode()).isNotEqualTo(ExitCodes.OK);
        assertThat(run.err())
                .contains("chaso")
                .contains("tests, chaos, masters, fuse, fuzz, soak, farm, histories, specification");
    }

    @Test
    void aFailedPartIsTheExitCodeAndItsOutputIsInItsFile(@TempDir Path clone) throws IOException {
        Optional<String> before = Optional.ofNullable(System.getProperty("packing.home"));
        Path lab = Files.createDirectories(clone.resolve("bin")).resolve("lab");
        Files.writeString(lab, "#!/bin/sh\necho \"ran $*\"\ncase $1 in fuzz) exit 3 ;; esac\n");
        assertThat(lab.toFile().setExecutable(true)).isTrue();
        System.setProperty("packing.home", clone.toString());
        try {
            LabRun run = LabRun.of("nightly", "--only", "chaos,fuzz", "--seed", "9");
            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.FAILED);
            assertThat(run.out()).contains("passed").contains("FAILED with 3").contains("1 of 2 parts failed: fuzz");
            assertThat(clone.resolve("target/nightly/fuzz.log")).hasContent("ran fuzz --seconds 600 --seed 9");
            assertThat(LabRun.of("nightly", "--only", "chaos").exitCode()).isEqualTo(ExitCodes.OK);
        } finally {
            before.ifPresentOrElse(
                    home -> System.setProperty("packing.home", home), () -> System.clearProperty("packing.home"));
        }
    }
}
