// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the names that a user gives mounts. */
class ContextCommandTest {
    @TempDir
    Path home;

    private Map<String, String> environment = Map.of();

    @BeforeEach
    void contexts() {
        environment =
                Map.of(Contexts.FILE_VARIABLE, home.resolve("config/contexts").toString());
    }

    private CommandRun context(String... words) {
        String[] all = Stream.concat(Stream.of("context"), Stream.of(words)).toArray(String[]::new);
        return CommandRun.of(environment, all);
    }

    @Test
    void theFirstContextIsTheCurrentOneAndUseTakesAnother() {
        assertThat(context("list").out()).isEmpty();
        assertThat(context("add", "demo", "packing://127.0.0.1/").exitCode()).isZero();
        assertThat(context("add", "logs", "packing://logs@h1:1,h2:2/team").out())
                .contains("* demo ", "packing://127.0.0.1:19990/", "  logs ", "packing://logs@h1:1,h2:2/team");
        assertThat(context("use", "logs").out()).contains("  demo ", "* logs ");
        assertThat(context("list", "--json").out().replaceAll("\\s+", ""))
                .contains("{\"name\":\"logs\",\"uri\":\"packing://logs@h1:1,h2:2/team\",\"current\":true}");
        assertThat(context("remove", "logs").out()).contains("  demo ").doesNotContain("logs", "*");
    }

    @Test
    void whatIsNoContextIsRefusedAndNothingChanges() {
        assertThat(context("add", "demo", "packing://h/").exitCode()).isZero();
        for (String[] words : new String[][] {
            {"use", "dmo"}, {"remove", "dmo"}, {"add", "two words", "packing://h/"}, {"add", "other", "h:19990"}
        }) {
            CommandRun refused = context(words);
            assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
            assertThat(refused.err()).startsWith("packing: ");
        }
        assertThat(context("use", "dmo").err()).contains("there is no context 'dmo'; there are: demo");
        assertThat(context("list").out()).contains("* demo ");
    }

    @Test
    void theFileIsItsOwnersAloneAndChangesAsAWhole() throws IOException {
        Path file = home.resolve("config/contexts");
        assertThat(context("add", "demo", "packing://h/").exitCode()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Object before = Files.readAttributes(file, "unix:ino").get("ino");
        assertThat(context("add", "more", "packing://h/").exitCode()).isZero();
        assertThat(Files.readAttributes(file, "unix:ino").get("ino"))
                .as("another file took the place")
                .isNotEqualTo(before);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void aDamagedFileIsNamedWithItsLine() throws IOException {
        Path file = Files.createDirectories(home.resolve("config")).resolve("contexts");
        Files.writeString(file, "* demo packing:/h\n");
        CommandRun refused = context("list");
        assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(refused.err()).contains(file.toString(), "'* demo packing:/h'", "Mend the line");
    }

    @Test
    void withoutAnyMountTheWaysToNameOneAreTold() {
        CommandRun refused = CommandRun.of(environment, "ls", "/");
        assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(refused.err())
                .isEqualTo(
                        "packing: no mount is named: give packing://HOST:PORT/PATH, or set PACKING_MOUNT, or choose one for all"
                                + " commands: packing context add NAME packing://HOST:PORT/\n");
    }
}
