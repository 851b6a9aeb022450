// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.process.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts of commands by a real JVM with the launcher's archive of classes: with one that fits, and with ones that do not. */
@Tag("process")
class ArchivedStartsIT {
    private static final Path CLONE = Path.of("../..").toAbsolutePath().normalize();

    @TempDir
    private Path directory = Path.of("");

    /**
     * Makes a folder as the distribution's, whose jars are links to those of the build, and returns a launcher. It makes the archive with the priority of
     * its caller: at the lowest one, other tests of the machine would keep it waiting for minutes.
     */
    private Path distribution() throws IOException {
        for (String folder : new String[] {"bin", "libexec"}) {
            Path to = Files.createDirectories(directory.resolve("packing").resolve(folder));
            try (DirectoryStream<Path> files = Files.newDirectoryStream(CLONE.resolve("dist/src/main/" + folder))) {
                for (Path file : files) {
                    Path unused = Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
        Path lib = Files.createDirectories(directory.resolve("packing/lib"));
        for (String jars : new String[] {"cli/target/lib", "cli/target"}) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(CLONE.resolve(jars), "*.jar")) {
                for (Path file : files) {
                    Path unused = Files.createSymbolicLink(lib.resolve(file.getFileName()), file);
                }
            }
        }
        program("programs/nice", "exec \"$@\"");
        return program(
                "launcher",
                "PATH='%s':$PATH exec '%s' \"$@\""
                        .formatted(directory.resolve("programs"), directory.resolve("packing/bin/packing")));
    }

    private Path program(String name, String script) throws IOException {
        Path file = directory.resolve(name);
        Path unused = Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    void startsAreMeasuredWithTheArchiveAndWithoutIt() throws Exception {
        LabRun run = LabRun.of(
                "bench",
                "starts",
                "--runs",
                "1",
                "--json",
                "--launcher",
                distribution().toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        JsonNode starts = new ObjectMapper().readTree(run.out());
        assertThat(starts)
                .extracting(start -> start.get("command").asText())
                .containsExactly("--version", "--version", "bdt ls", "bdt ls");
        assertThat(starts)
                .extracting(start -> start.get("archive").asBoolean())
                .containsExactly(true, false, true, false);
        assertThat(starts).allSatisfy(start -> {
            assertThat(start.get("seconds").asDouble()).isPositive();
            assertThat(start.get("cpu_seconds").asDouble()).isPositive();
            assertThat(start.get("runs")).hasSize(1);
        });
    }

    /** Runs the launcher, and returns all that it prints on both streams. */
    private String run(Path launcher, String jvmOptions, String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(launcher.toString()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.environment().put("XDG_CACHE_HOME", directory.resolve("cache").toString());
        builder.environment().put("PACKING_JAVA_OPTS", jvmOptions);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private List<Path> cached(String pattern) throws IOException {
        Path cache = Files.createDirectories(directory.resolve("cache/packing"));
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(cache, pattern)) {
            files.forEach(found::add);
        }
        return found;
    }

    @Test
    void anArchiveThatDoesNotFitIsNotUsedAndNothingIsSaidOfIt() throws Exception {
        Path launcher = distribution();
        String version = run(launcher, "", "--version");
        assertThat(version).startsWith("packing ").hasLineCount(1);
        Await.until(
                "the archive",
                Duration.ofMinutes(10),
                () -> !cached("*.jsa").isEmpty() && cached("*.lock").isEmpty());
        Path archive = cached("*.jsa").get(0);
        String fromArchive = "io.packing.cli.ProgramVersion source: shared objects file";
        assertThat(run(launcher, "-Xlog:class+load", "--version")).contains(fromArchive);

        byte[] whole = Files.readAllBytes(archive);
        byte[] part = new byte[whole.length / 2];
        System.arraycopy(whole, 0, part, 0, part.length);
        for (byte[] content : List.of(part, new byte[whole.length], "no archive".getBytes(StandardCharsets.UTF_8))) {
            Files.delete(archive);
            Files.write(archive, content);
            assertThat(run(launcher, "", "--version")).isEqualTo(version);
            assertThat(run(launcher, "-Xlog:class+load", "--version")).doesNotContain(fromArchive);
        }
        Files.delete(archive);
        Files.write(archive, whole);
        assertThat(run(launcher, "-XX:-UseSerialGC -XX:+UseG1GC", "--version"))
                .as("another collector")
                .isEqualTo(version);
        assertThat(run(launcher, "-XX:-UseCompressedClassPointers -XX:-UseCompressedOops", "--version"))
                .as("other pointers")
                .isEqualTo(version);
    }
}
