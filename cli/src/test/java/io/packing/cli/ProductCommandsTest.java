// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The product's command has no command of the laboratory: an operator could only be refused by it. */
class ProductCommandsTest {
    @ParameterizedTest
    @ValueSource(strings = {"demo", "experiment", "bench", "multimake", "chaos", "fuzz", "lab"})
    void aCommandOfTheLaboratoryIsUnknown(String command) {
        assertThat(Main.commandLine().getSubcommands()).doesNotContainKey(command);
        CommandRun run = CommandRun.of(command);
        assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains("unknown command " + command);
    }

    @Test
    void tracesAreNotDemonstrated() {
        assertThat(Objects.requireNonNull(Main.commandLine().getSubcommands().get("trace"))
                        .getSubcommands())
                .containsKey("analyze")
                .doesNotContainKey("demo");
    }
}
