// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing snapshot} of a directory with a history: it is read and restored as it was at a time. */
@Timeout(240)
class HistoryCommandTest {
    /** Commands, their words, and a part of what each prints. One mount has all of them: a state takes seconds to come. */
    private static final String REFUSED = """
            snapshot at|/d 2020-01-01T00:00:00Z|/d can be read and restored as it was from
            snapshot at|/d 2999-01-01T00:00:00Z|is later
            snapshot at|/other 10s|/other has no history
            snapshot at|/none 10s|/none: no such directory
            snapshot at|/d yesterday|is no time: expected one like 2026-11-30T20:07:13Z
            snapshot restore|/d --as-of 2020-01-01T00:00:00Z|2020-01-01T00:00:00Z is before that
            snapshot restore|/d|either the NAME of a snapshot or --as-of TIME
            snapshot restore|/d s1 --as-of 10s|either the NAME of a snapshot or --as-of TIME
            snapshot create|/d at-2026-11-30T20:00:00Z|names like it are those of packing.history.paths
            """;

    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory, Map.of("packing.history.paths", "/d=1h"));
        write("/d/a", "before");
        write("/d/sub/b", "below");
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private void write(String path, String text) throws IOException {
        mount.write(path, text.getBytes(StandardCharsets.US_ASCII));
    }

    private String text(String path) throws IOException {
        return new String(mount.read(path), StandardCharsets.US_ASCII);
    }

    /** Waits until the newest state has the files, and returns its path. */
    private String state(String file) throws IOException {
        while (true) {
            CommandRun run = mount.run("snapshot at", "/d", "0s");
            String path = run.out().strip();
            // The master keeps a state when its second is over; the limit is that of the class.
            if (run.exitCode() == 0 && mount.has(path + file)) {
                return path;
            }
            Thread.onSpinWait();
        }
    }

    @Test
    void aDirectoryIsRestoredAsOfATime() throws IOException {
        String was = state("/sub/b");
        assertThat(was).matches("/d/\\.snapshot/at-....-..-..T..:..:..Z");
        write("/d/new", "new");
        write("/d/a", "after");
        assertThat(mount.deleteFailure("/d/sub")).isEmpty();
        String later = state("/new");
        assertThat(text(was + "/a")).isEqualTo("before");
        String time = was.substring(was.indexOf("at-") + "at-".length());
        assertThat(mount.run("snapshot restore", "/d", "--as-of", time).exitCode())
                .isZero();
        assertThat(text("/d/a")).isEqualTo("before");
        assertThat(text("/d/sub/b")).isEqualTo("below");
        assertThat(mount.has("/d/new")).isFalse();
        assertThat(text(later + "/a")).isEqualTo("after");
    }

    @Test
    void theStatesAreOneLineOfTheList() throws IOException {
        String state = state("/sub/b");
        assertThat(mount.run("snapshot create", "/d", "mine").exitCode()).isZero();
        CommandRun run = mount.run("snapshot list", "/d");
        assertThat(run.out().lines()).hasSize(2);
        assertThat(run.out()).contains("/d/.snapshot/mine", "history of /d: each second from ");
        assertThat(mount.run("snapshot list", "/d", "--all").out()).contains(state, "/d/.snapshot/mine");
        assertThat(mount.run("snapshot list", "/d", "--json").out()).contains(state);
    }

    @Test
    void whatCannotBeIsRefusedInWords() throws IOException {
        write("/other/a", "x");
        String unused = state("/sub/b");
        for (String row : REFUSED.lines().toList()) {
            List<String> parts = List.of(row.split("\\|", -1));
            CommandRun run = mount.run(parts.get(0), parts.get(1).split(" ", -1));
            assertThat(run.exitCode()).as(row).isNotZero();
            assertThat(run.err()).as(row).contains(parts.get(2));
        }
        assertThat(text("/d/a")).isEqualTo("before");
    }
}
