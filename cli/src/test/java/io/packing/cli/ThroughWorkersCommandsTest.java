// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands that read through workers. That such clients open no store is tested at the doors. */
@Timeout(120)
class ThroughWorkersCommandsTest {
    private static final String[] THROUGH = {"--option", "packing.read.through=workers"};

    @TempDir
    private Path home = Path.of("");

    private CommandMount mount;
    private final byte[] bytes = new byte[300_000];

    @BeforeEach
    void start() throws IOException {
        Seed.random().nextBytes(bytes);
        mount = CommandMount.start(home);
        mount.write("/d/a", bytes);
        mount.write("/d/b", bytes);
        assertThat(mount.run("flush").exitCode()).isZero();
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private static String[] words(String... words) {
        String[] all = Arrays.copyOf(words, words.length + THROUGH.length);
        System.arraycopy(THROUGH, 0, all, words.length, THROUGH.length);
        return all;
    }

    @Test
    void aTreeIsCopiedOutOfTheMount() throws IOException {
        String from = "packing://" + mount.master() + "/d";
        String store = "packing.store=" + mount.store();
        Path copied = home.resolve("copied");
        CommandRun run = CommandRun.of(words("copy", from, copied.toUri().toString(), "--option", store));
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(Files.readAllBytes(copied.resolve("a"))).isEqualTo(bytes);
        assertThat(Files.readAllBytes(copied.resolve("b"))).isEqualTo(bytes);
    }

    @Test
    void bytesAreSharedAndReplaced() throws IOException {
        CommandRun dedup = mount.run("dedup", words("/d"));
        assertThat(dedup.exitCode()).as(dedup.err()).isZero();
        Path three = Files.write(home.resolve("three"), new byte[] {1, 2, 3});
        CommandRun written = mount.run("write-at", words("--offset", "10", "/d/a", three.toString()));
        assertThat(written.exitCode()).as(written.err()).isZero();
        byte[] changed = bytes.clone();
        System.arraycopy(new byte[] {1, 2, 3}, 0, changed, 10, 3);
        assertThat(mount.read("/d/a")).isEqualTo(changed);
        assertThat(mount.read("/d/b")).isEqualTo(bytes);
    }
}
