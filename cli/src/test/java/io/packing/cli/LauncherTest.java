// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launchers of the distribution say what they need. */
@Timeout(60)
@Tag("process")
class LauncherTest {
    private static final Path BIN = Path.of("../dist/src/main/bin");

    @TempDir
    private Path directory = Path.of("");

    private record Run(int exitCode, String output) {}

    private Run run(Path javaHome, String... words) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", javaHome.toString());
        builder.environment().put("XDG_CACHE_HOME", "none");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Run(process.waitFor(), output);
    }

    /** A Java that only says its version. */
    private Path java(String version) throws IOException {
        Path bin = Files.createDirectories(directory.resolve("java/bin"));
        Path java = bin.resolve("java");
        Files.writeString(
                java, "#!/bin/sh\necho 'openjdk version \"%s\" 2024-01-16' >&2\necho \"ran $*\"\n".formatted(version));
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return directory.resolve("java");
    }

    @ParameterizedTest
    @CsvSource({"1.8.0_402", "11.0.22", "16.0.2"})
    void anOlderJavaIsRefusedWithWhatIsNeeded(String version) throws IOException, InterruptedException {
        Run run = run(java(version), "sh", BIN.resolve("packing").toString(), "--version");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("Java 17 or newer").contains(version).contains("JAVA_HOME");
    }

    @ParameterizedTest
    @CsvSource({"17.0.15", "21.0.1", "25"})
    void aNewerJavaRuns(String version) throws IOException, InterruptedException {
        Run run = run(java(version), "sh", BIN.resolve("packing").toString(), "fsck", "a b");
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).contains("io.packing.cli.Main fsck a b");
    }

    @Test
    void noJavaIsTold() throws IOException, InterruptedException {
        Run run = run(directory.resolve("nothing"), "sh", BIN.resolve("packing").toString(), "--version");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("no Java at").contains("version 17");
    }

    @Test
    void aDaemonThatIsNoneIsRefused() throws IOException, InterruptedException {
        Run run = run(java("17"), "sh", BIN.resolve("packing-daemon").toString(), "wroker");
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.output()).contains("bdt-master|worker");
    }
}
