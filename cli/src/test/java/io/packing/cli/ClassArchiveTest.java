// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.process.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher's archive of classes. A script takes the place of Java: it writes the files of a JVM. */
@Timeout(120)
@Tag("process")
class ClassArchiveTest {
    private static final Path SCRIPTS = Path.of("../dist/src/main");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** A script that writes the list or the archive of its options, and its open files. For a command it prints its own command line. */
    private static final String JAVA = """
            #!/bin/sh
            for word; do
                case $word in
                    -XX:DumpLoadedClassList=*)
                        echo rehearsal >> "$TRACE"
                        ls /proc/$$/fd >> "$TRACE.open"
                        [ -z "${REHEARSAL_FAILS:-}" ] || exit 1
                        sleep 0.3
                        echo a/Class > "${word#*=}"
                        exit
                        ;;
                    -Xshare:dump) dump=yes ;;
                    -XX:SharedArchiveFile=*) [ -z "${dump:-}" ] || { echo archive > "${word#*=}"; exit; } ;;
                esac
            done
            echo "ran $*"
            """;

    @TempDir
    private Path directory = Path.of("");

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void install() throws IOException {
        for (String folder : List.of("bin", "libexec")) {
            Path to = Files.createDirectories(directory.resolve("packing").resolve(folder));
            try (Stream<Path> files = Files.list(SCRIPTS.resolve(folder))) {
                for (Path file : files.toList()) {
                    Files.copy(file, to.resolve(file.getFileName()));
                }
            }
        }
        Files.createDirectories(directory.resolve("packing/lib"));
        Files.writeString(directory.resolve("packing/lib/a.jar"), "a");
        runtime("java", "17.0.15");
        environment.put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        environment.put("TRACE", directory.resolve("trace").toString());
    }

    /** A launcher that works beside a command may still write where the directory is deleted. */
    @AfterEach
    void awaitLaunchers() throws IOException, InterruptedException {
        Await.until(
                "no launcher at work",
                PATIENCE,
                () -> ProcessHandle.allProcesses()
                        .map(each -> each.info().commandLine().orElse(""))
                        .noneMatch(line -> line.contains(directory.toString())));
    }

    private void runtime(String name, String version) throws IOException {
        Path home = Files.createDirectories(directory.resolve(name));
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"%n".formatted(version));
        Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
        Files.writeString(java, JAVA);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        environment.put("JAVA_HOME", home.toString());
    }

    private Process start(String... words) throws IOException {
        List<String> line = new ArrayList<>(
                List.of("sh", directory.resolve("packing/bin/packing").toString()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().remove("PACKING_JAVA_OPTS");
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static String outputOf(Process process) throws IOException, InterruptedException {
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private String run(String... words) throws IOException, InterruptedException {
        String output = outputOf(start(words));
        assertThat(output)
                .as("nothing but the command's own line")
                .startsWith("ran ")
                .hasLineCount(1);
        return output;
    }

    private Path cache() {
        return directory.resolve("cache/packing");
    }

    private List<Path> cached(String ending) throws IOException {
        if (!Files.isDirectory(cache())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(cache())) {
            return files.filter(file -> file.toString().endsWith(ending)).toList();
        }
    }

    /** Waits until so many archives are there, and no launcher creates one. */
    private void awaitArchives(int count) throws IOException, InterruptedException {
        Await.until(
                "%d archives".formatted(count),
                PATIENCE,
                () -> cached(".jsa").size() == count && cached(".lock").isEmpty());
    }

    private long rehearsals() throws IOException {
        return Files.readAllLines(directory.resolve("trace")).size();
    }

    @Test
    void theFirstShortCommandCreatesTheArchiveAndTheNextUsesIt() throws IOException, InterruptedException {
        assertThat(run("bdt", "ls")).doesNotContain("SharedArchiveFile").contains("TieredStopAtLevel=1");
        awaitArchives(1);
        assertThat(run("bdt", "ls"))
                .contains("-XX:SharedArchiveFile=" + cached(".jsa").get(0));
        assertThat(rehearsals()).isEqualTo(1);
        assertThat(cached("")).as("nothing else is left").hasSize(1);
    }

    @Test
    void manyFirstCommandsAtOnceCreateItOnce() throws IOException, InterruptedException {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            processes.add(start("mounts", "list"));
        }
        for (Process each : processes) {
            assertThat(outputOf(each)).startsWith("ran ");
        }
        awaitArchives(1);
        assertThat(rehearsals()).isEqualTo(1);
    }

    @Test
    void aReplacedJarGetsAnArchiveOfItsOwn() throws IOException, InterruptedException {
        run("--version");
        awaitArchives(1);
        Files.writeString(directory.resolve("packing/lib/a.jar"), "another");
        assertThat(run("--version")).doesNotContain("SharedArchiveFile");
        awaitArchives(2);
    }

    @Test
    void aJarOfTheSameSizeAndAnotherTimeGetsAnArchiveOfItsOwn() throws IOException, InterruptedException {
        run("--version");
        awaitArchives(1);
        Files.setLastModifiedTime(
                directory.resolve("packing/lib/a.jar"), FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
        assertThat(run("--version")).doesNotContain("SharedArchiveFile");
        awaitArchives(2);
    }

    @Test
    void anotherRuntimeAndAnUpdatedOneGetArchivesOfTheirOwn() throws IOException, InterruptedException {
        run("--version");
        awaitArchives(1);
        runtime("other", "17.0.15");
        assertThat(run("--version")).doesNotContain("SharedArchiveFile");
        awaitArchives(2);
        runtime("other", "17.0.16");
        assertThat(run("--version")).doesNotContain("SharedArchiveFile");
        awaitArchives(3);
    }

    @Test
    void fourArchivesAreKept() throws IOException, InterruptedException {
        for (int i = 1; i <= 6; i++) {
            runtime("java" + i, "17.0." + i);
            run("--version");
            int played = i;
            Await.until(
                    "archive " + i,
                    PATIENCE,
                    () -> Files.exists(directory.resolve("trace"))
                            && rehearsals() == played
                            && cached(".lock").isEmpty());
            assertThat(cached(".jsa")).hasSize(Math.min(i, 4));
            assertThat(run("--version")).as("the newest archive is kept").contains("SharedArchiveFile");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bdt-master", "worker", "registry", "simulate", "mount", "copy", "fsck"})
    void aLongCommandCreatesNoArchiveAndKeepsBothCompilers(String command) throws IOException, InterruptedException {
        assertThat(run(command, "x")).doesNotContain("TieredStopAtLevel");
        assertThat(cached("")).isEmpty();
    }

    @Test
    void aDaemonUsesTheArchiveOfShortCommands() throws IOException, InterruptedException {
        run("--version");
        awaitArchives(1);
        assertThat(run("bdt-master")).contains("SharedArchiveFile").contains("ExitOnOutOfMemoryError");
    }

    @Test
    void withoutACacheThatCanBeWrittenTheCommandRuns() throws IOException, InterruptedException {
        Files.writeString(directory.resolve("cache"), "a file in the place of the folder");
        assertThat(run("--version")).doesNotContain("SharedArchiveFile");
        environment.put("XDG_CACHE_HOME", "relative/folder");
        assertThat(run("--version")).doesNotContain("SharedArchiveFile");
        environment.put("XDG_CACHE_HOME", "");
        environment.put("HOME", "");
        assertThat(run("--version")).doesNotContain("SharedArchiveFile");
    }

    @Test
    void anArchiveOfAnotherUserIsNotUsed() throws IOException, InterruptedException {
        run("--version");
        awaitArchives(1);
        try {
            Files.setAttribute(cached(".jsa").get(0), "unix:uid", 12_345);
        } catch (FileSystemException e) {
            assumeTrue(false, "root is needed to give a file to another user");
        }
        assertThat(run("--version")).doesNotContain("SharedArchiveFile");
    }

    @Test
    void aCacheOfAnotherUserIsNotUsed() throws IOException, InterruptedException {
        run("--version");
        awaitArchives(1);
        try {
            Files.setAttribute(cache(), "unix:uid", 12_345);
        } catch (FileSystemException e) {
            assumeTrue(false, "root is needed to give a folder to another user");
        }
        assertThat(run("--version")).doesNotContain("SharedArchiveFile");
        Files.delete(cached(".jsa").get(0));
        run("--version");
        assertThat(cached("")).as("nothing is written there").isEmpty();
    }

    @Test
    void theCacheIsItsUsersAlone() throws IOException, InterruptedException {
        run("--version");
        awaitArchives(1);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(cache())))
                .isEqualTo("rwx------");
    }

    @Test
    void aFailedCreationIsNotTriedAgainOnThatDay() throws IOException, InterruptedException {
        environment.put("REHEARSAL_FAILS", "yes");
        run("--version");
        awaitArchives(1);
        assertThat(run("--version")).doesNotContain("SharedArchiveFile");
        assertThat(rehearsals()).isEqualTo(1);
        environment.remove("REHEARSAL_FAILS");
        // A launcher of before may still be at work: it holds the lock, or fails once more.
        Await.until("the second creation", PATIENCE, () -> {
            age(cached(".jsa").get(0), Duration.ofDays(2));
            run("--version");
            return Files.size(cached(".jsa").get(0)) > 0;
        });
    }

    @Test
    void theLockOfAKilledLauncherIsTakenOver() throws IOException, InterruptedException {
        run("--version");
        awaitArchives(1);
        Path archive = cached(".jsa").get(0);
        Files.delete(archive);
        Path lock = Files.createDirectory(Path.of(archive + ".lock"));
        run("--version");
        assertThat(archive).as("a fresh lock is another launcher's").doesNotExist();

        age(lock, Duration.ofHours(1));
        run("--version");
        awaitArchives(1);
    }

    @Test
    void aLockThatTheCallerHoldsIsNotHeldByTheCreation() throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                "sh",
                "-c",
                "exec 9> \"$1.callers\"; exec sh \"$0\" --version",
                directory.resolve("packing/bin/packing").toString(),
                directory.resolve("trace").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(outputOf(process)).startsWith("ran ");
        awaitArchives(1);
        assertThat(Files.readAllLines(directory.resolve("trace.open"))).doesNotContain("9");
    }

    private static void age(Path file, Duration age) throws IOException {
        Files.setLastModifiedTime(
                file, FileTime.from(Files.getLastModifiedTime(file).toInstant().minus(age)));
    }
}
