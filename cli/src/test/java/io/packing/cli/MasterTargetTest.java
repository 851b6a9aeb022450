// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the time for which commands try to reach a BDT master. */
class MasterTargetTest {
    private static final Map<String, String> MOUNT = Map.of("packing.store", "s3://bucket/prefix");
    private static final Map<String, String> IMPATIENT =
            Map.of("packing.store", "s3://bucket/prefix", "packing.master.timeout", "3s");

    @TempDir
    private Path store = Path.of("");

    @Test
    void theMountsTimeoutIsTheCommands() {
        assertThat(MasterTarget.patience(IMPATIENT, Optional.empty())).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void withoutOneItIsTheFlagOrTenSeconds() {
        assertThat(MasterTarget.patience(MOUNT, Optional.empty())).isEqualTo(Duration.ofSeconds(4));
        assertThat(MasterTarget.patience(MOUNT, Optional.of(Duration.ofMillis(300))))
                .isEqualTo(Duration.ofMillis(300));
    }

    @Test
    void bothAreRefusedAndSoAreUnknownOptions() {
        assertThatThrownBy(() -> MasterTarget.patience(IMPATIENT, Optional.of(Duration.ofSeconds(3))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--timeout")
                .hasMessageContaining("packing.master.timeout");
        assertThatThrownBy(() -> MasterTarget.patience(Map.of("packing.master.timout", "3s"), Optional.empty()))
                .hasMessageContaining("'packing.master.timeout'");
    }

    @Test
    void secondsNeedNoUnit() {
        MasterTarget.Seconds seconds = new MasterTarget.Seconds();
        assertThat(seconds.convert("7")).isEqualTo(Duration.ofSeconds(7));
        assertThat(seconds.convert("250ms")).isEqualTo(Duration.ofMillis(250));
        assertThatThrownBy(() -> seconds.convert("-1")).hasMessageContaining("'-1'");
        assertThatThrownBy(() -> seconds.convert("soon")).hasMessageContaining("'soon'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bdt ls", "bdt stat /a", "bdt locate /a", "flush"})
    void everyCommandThatAsksAMasterGivesUpWhenTheOptionSays(String words) {
        CommandRun run = CommandRun.of((words + " --master 127.0.0.1:1 --option packing.store=file://"
                        + store.toAbsolutePath() + " --option packing.master.timeout=200ms")
                .split(" "));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.UNAVAILABLE);
        assertThat(run.err()).contains("did not answer for 0.2 s");
    }
}
