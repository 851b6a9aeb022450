// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing doctor}. */
@Timeout(120)
class DoctorCommandTest {
    @TempDir
    private Path home = Path.of("");

    private static JsonNode json(CommandRun run) throws IOException {
        return new ObjectMapper().readTree(run.out());
    }

    @Test
    void aDirectoryThatIsWellIsToldInTextAndInJsonAndIsLeftAsItWas() throws IOException {
        try (CommandMount mount = CommandMount.start(home)) {
            CommandRun run = mount.run("doctor --json");
            assertThat(run.exitCode()).as(run.err()).isZero();
            JsonNode found = json(run);
            assertThat(found.get("store").asText()).startsWith("file:");
            assertThat(found.get("conditional_put").asBoolean()).isTrue();
            assertThat(found.get("credentials").isNull()).isTrue();
            assertThat(found.get("findings")).isEmpty();
            CommandRun text = mount.run("doctor");
            assertThat(text.out()).contains("conditional put: yes", "findings:        none");
            try (Stream<Path> left = Files.walk(home.resolve("store"))) {
                assertThat(left.filter(file -> file.toString().contains("doctor")))
                        .isEmpty();
            }
        }
    }

    private Path keys(String name, String key) throws IOException {
        return Files.writeString(
                home.resolve(name),
                "[default]\naws_access_key_id = %s\naws_secret_access_key = %s\n"
                        .formatted(key, key.replace("access", "secret")));
    }

    @Test
    void theCredentialsOfThisProcessAreExaminedAndNotTheMasters() throws IOException {
        Path good = keys("good", "access");
        try (S3Server s3 = S3Server.start(S3ServerOptions.of(Files.createDirectory(home.resolve("s3")), "bucket"));
                BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                                "bdt.data.dir",
                                home.resolve("bdt").toString(),
                                "bdt.port",
                                "0",
                                "bdt.stores",
                                "s3://bucket@" + s3.endpoint(),
                                "bdt.s3.credentials.file",
                                good.toString())))
                        .serve()) {
            String uri = "packing://127.0.0.1:%d/".formatted(master.port());
            CommandRun made = CommandRun.of(
                    "mounts",
                    "create",
                    uri,
                    "--store",
                    "s3://bucket/p",
                    "--option",
                    "packing.s3.endpoint=" + s3.endpoint());
            assertThat(made.exitCode()).as(made.err()).isZero();
            CommandRun well = CommandRun.of("doctor", uri, "--json", "--option", "packing.s3.credentials.file=" + good);
            assertThat(well.exitCode()).as(well.err() + well.out()).isZero();
            JsonNode found = json(well);
            assertThat(found.get("store").asText()).isEqualTo("s3://bucket/p");
            assertThat(found.get("endpoint").asText()).isEqualTo(s3.endpoint().toString());
            assertThat(found.get("region").asText()).isNotEmpty();
            assertThat(found.get("credentials").get("source").asText()).isEqualTo("file");
            assertThat(found.get("credentials").get("identity").asText()).isEqualTo("access");
            assertThat(found.get("conditional_put").asBoolean()).isTrue();
            assertThat(Math.abs(found.get("clock_skew_ms").asLong())).isLessThan(60_000);

            CommandRun ill =
                    CommandRun.of("doctor", uri, "--option", "packing.s3.credentials.file=" + keys("bad", "nobody"));
            assertThat(ill.exitCode()).isEqualTo(ExitCodes.FAILED);
            assertThat(ill.out())
                    .contains("identity:        nobody", "problem:", "credentials refused", "check the keys")
                    .contains("conditional put: not tried");
        }
    }

    @Test
    void aMasterThatDoesNotAnswerIsSaid() {
        CommandRun run = CommandRun.of("doctor", "packing://127.0.0.1:1/", "--timeout", "200ms");
        assertThat(run.exitCode()).isEqualTo(ExitCodes.UNAVAILABLE);
        assertThat(run.err()).contains("127.0.0.1:1");
    }

    @Test
    void theKernelIsTriedForLayersWithoutAMountAndNothingIsLeft() throws IOException {
        CommandRun run = CommandRun.of("doctor", "--containers", "--json");
        JsonNode found = json(run);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(found.get("fuse").asBoolean() ? 0 : 1);
        // The trial has succeeded, or tells why not.
        assertThat(found.get("metadata_images").asBoolean())
                .isEqualTo(found.get("reason").asText().isEmpty());
        assertThat(CommandRun.of("doctor", "--containers").out()).contains("fuse:", "metadata images:");
        assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain("packing-doctor");
    }
}
