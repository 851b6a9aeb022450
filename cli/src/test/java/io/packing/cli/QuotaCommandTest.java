// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code packing quota}: limits are set, shown and cleared, and hold for all writers. */
@Timeout(120)
class QuotaCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
        mount.write("/d/a", "0123456789".getBytes(StandardCharsets.US_ASCII));
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    @Test
    void aQuotaIsSetShownExceededAndCleared() throws IOException {
        assertThat(mount.run("quota show", "/d").out()).contains("/d: no quota");
        assertThat(mount.run("quota set", "--names", "2", "/d").out())
                .contains("/d: 2 names of at most 2, 10 bytes of any number");
        assertThat(mount.run("quota set", "--bytes", "1KB", "/d").out())
                .contains("/d: 2 names of at most 2, 10 bytes of at most 1,024");
        assertThat(mount.run("quota show", "--json", "/d").out())
                .contains("\"most_names\" : 2")
                .contains("\"names\" : 2")
                .contains("\"bytes\" : 10");
        assertThat(mount.run("quota list").out())
                .isEqualTo(mount.run("quota show", "/d").out());
        CommandRun refused = mount.run("clone", "/d/a", "/d/b");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("The NameSpace quota (directories and files) of directory /d is exceeded");
        assertThat(mount.run("quota clear", "/d").out()).contains("/d: no quota");
        assertThat(mount.run("clone", "/d/a", "/d/b").exitCode()).isZero();
    }

    @Test
    void aDumpBringsLimitsBack() throws IOException {
        mount.flush();
        assertThat(mount.run("quota set", "--names", "2", "/d").exitCode()).isZero();
        String dump = directory.resolve("dump").toString();
        assertThat(mount.run("dump", dump).exitCode()).isZero();
        assertThat(mount.run("load", dump, "--into", "/copy").exitCode()).isZero();
        assertThat(mount.run("quota list").out())
                .contains("/copy/d: 2 names of at most 2, 10 bytes of any number")
                .contains("/d: 2 names of at most 2, 10 bytes of any number");
    }

    @Test
    void whatHasNoQuotaIsRefused() throws IOException {
        assertThat(mount.run("quota set", "--names", "2", "/none").exitCode()).isEqualTo(5);
        assertThat(mount.run("quota show", "/none").exitCode()).isEqualTo(5);
        assertThat(mount.run("quota set", "--names", "2", "/d/a").err()).contains("not a directory");
        assertThat(mount.run("quota set", "--names", "0", "/d").exitCode()).isEqualTo(2);
    }
}
