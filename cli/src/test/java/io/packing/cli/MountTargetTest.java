// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MountTargetTest {
    private static final Map<String, String> STORE = Map.of("packing.store", "s3://bucket/prefix");

    @Test
    void theSecretComesFromTheEnvironment() {
        Map<String, String> all = MountTarget.withCredentials(
                STORE, Map.of("PACKING_S3_ACCESS_KEY", "access", "PACKING_S3_SECRET_KEY", "secret"));
        assertThat(all)
                .containsEntry("packing.s3.access.key", "access")
                .containsEntry("packing.s3.secret.key", "secret")
                .containsEntry("packing.store", "s3://bucket/prefix");
    }

    @Test
    void withoutAnyTheStoresOwnChainIsAsked() {
        assertThat(MountTarget.withCredentials(STORE, Map.of("HOME", "/"))).isEqualTo(STORE);
    }

    @Test
    void halfAPairOfCredentialsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MountTarget.withCredentials(STORE, Map.of("PACKING_S3_ACCESS_KEY", "access")))
                .withMessageContaining("PACKING_S3_SECRET_KEY");
    }

    @Test
    void aSecretOnTheCommandLineOfAWorkerIsExitCodeTwo() {
        CommandRun run = CommandRun.of(
                "worker",
                "--master",
                "127.0.0.1:1",
                "--id",
                "w",
                "--buffer-dir",
                "none",
                "--option",
                "packing.store=s3://bucket/prefix",
                "--option",
                "packing.s3.secret.key=hidden");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains("PACKING_S3_SECRET_KEY").doesNotContain("hidden");
    }

    @Test
    void aWorkersMisspeltOptionIsExitCodeTwoAndNamed() {
        CommandRun run = CommandRun.of(
                "worker",
                "--master",
                "127.0.0.1:1",
                "--id",
                "w",
                "--buffer-dir",
                "none",
                "--option",
                "packing.store=s3://bucket/prefix",
                "--option",
                "packing.polcy=size");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err()).contains("packing.polcy", "packing.policy");
    }
}
