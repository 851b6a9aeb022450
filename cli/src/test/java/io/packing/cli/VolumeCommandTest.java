// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing volume} without its server: volumes are made, cloned, resized and described. */
@Timeout(120)
class VolumeCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private CommandMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = CommandMount.start(directory);
        assertThat(mount.run("volume create", "/v", "--size", "1M").exitCode()).isZero();
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    @Test
    void aNewVolumeIsAHole() throws IOException {
        assertThat(mount.read("/v")).isEqualTo(new byte[1 << 20]);
        assertThat(mount.run("volume stats", "/v", "--json").out())
                .contains("\"size\" : 1048576", "\"stored_bytes\" : 0", "\"read_only\" : false");
        assertThat(mount.run("volume create", "/v", "--size", "1M").err()).contains("/v exists");
        assertThat(mount.run("volume create", "/w", "--size", "1000").err()).contains("multiple of 512");
        assertThat(mount.run("volume create", "/no/w", "--size", "1M").err()).contains("does not exist");
    }

    @Test
    void snapshotsAndClonesKeepWhatTheVolumeHad() throws IOException {
        byte[] bytes = new byte[4096];
        bytes[17] = 5;
        mount.write("/u", bytes);
        assertThat(mount.run("volume snapshot", "/u", "monday").out()).contains("/u@monday");
        assertThat(mount.run("volume clone", "/u@monday", "/w").exitCode()).isZero();
        assertThat(mount.run("volume resize", "/u", "--size", "512").err()).contains("needs --shrink");
        assertThat(mount.run("volume resize", "/u", "--size", "512", "--shrink").exitCode())
                .isZero();
        assertThat(mount.read("/u")).hasSize(512);
        assertThat(mount.read("/u@monday")).isEqualTo(bytes);
        assertThat(mount.read("/w")).isEqualTo(bytes);
        assertThat(mount.run("volume stats", "/u", "--json").out()).contains("\"/u@monday\"");
        assertThat(mount.run("volume stats", "/u@monday", "--json").out()).contains("\"read_only\" : true");
        assertThat(mount.run("volume stats", "/w", "--json").out()).contains("\"read_only\" : false");
        assertThat(mount.run("volume snapshot", "/u", "monday").err()).contains("/u@monday exists");
        assertThat(mount.run("volume snapshot", "/u", "a@b").err()).contains("no / and @");
        assertThat(mount.run("volume snapshot", "/missing", "s").err()).contains("/missing: no such file");
        assertThat(mount.run("volume stats", "/").err()).contains("directory");
    }

    @Test
    void optionsOfEqualBlocksThatCannotBeMeantAreRefused() {
        assertThat(mount.run("volume serve", mount.uri() + "v", "--dedup", "--read-only")
                        .err())
                .contains("not with --read-only");
        assertThat(mount.run("volume serve", mount.uri() + "v", "--dedup", "--dedup-blocks", "0")
                        .err())
                .contains("a block at least");
        assertThat(mount.run("volume serve", mount.uri() + "v", "--dedup-from", "/v")
                        .err())
                .contains("shares with itself by --dedup");
        assertThat(mount.run("volume serve", mount.uri() + "v", "--dedup-from", "/missing", "--bind", "127.0.0.1:0")
                        .err())
                .contains("/missing: no such file");
    }
}
