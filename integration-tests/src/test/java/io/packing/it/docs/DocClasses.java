// SPDX-License-Identifier: Apache-2.0
package io.packing.it.docs;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * An archive of the classes of commands, as a reader's launcher creates it once. All machines of pages share it: their jars are links to the same
 * files, in the same order, and a JVM compares files. The pages call some two hundred commands, and each takes half of the time with it.
 */
final class DocClasses {
    private static final Path HOME = Path.of("target/doc-classes").toAbsolutePath();

    private DocClasses() {}

    /** Returns the options of a JVM that uses the archive, where the archive fits. The first caller creates it. */
    static synchronized String options() throws IOException {
        Files.createDirectories(HOME);
        Path archive = HOME.resolve("classes.jsa");
        // Two processes play pages at a time.
        try (FileChannel channel =
                        FileChannel.open(HOME.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock unused = channel.lock()) {
            if (!isNewerThanJars(archive)) {
                create(archive);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the archive of classes was created", e);
        }
        return "-XX:SharedArchiveFile=%s -Xshare:auto -Xlog:cds=off -Xlog:cds+dynamic=off".formatted(archive);
    }

    private static boolean isNewerThanJars(Path archive) throws IOException {
        Path lib = HOME.resolve("lib");
        if (Files.notExists(archive) || Files.notExists(lib)) {
            return false;
        }
        try (Stream<Path> jars = Files.list(lib)) {
            for (Path jar : jars.toList()) {
                if (Files.notExists(jar)
                        || Files.getLastModifiedTime(jar).compareTo(Files.getLastModifiedTime(archive)) > 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private static void create(Path archive) throws IOException, InterruptedException {
        Path lib = HOME.resolve("lib");
        if (Files.exists(lib)) {
            try (Stream<Path> links = Files.list(lib)) {
                for (Path link : links.toList()) {
                    Files.delete(link);
                }
            }
        }
        DocMachine.linkJars(HOME);
        Path scratch = Files.createTempDirectory(HOME, "rehearsal");
        String list = scratch.resolve("list").toString();
        // As libexec/classes.sh does.
        run(
                lib,
                "-XX:+UseSerialGC",
                "-XX:DumpLoadedClassList=" + list,
                "io.packing.cli.ClassRehearsal",
                scratch.toString());
        run(lib, "-XX:+UseG1GC", "-Xshare:dump", "-XX:SharedClassListFile=" + list, "-XX:SharedArchiveFile=" + archive);
    }

    private static void run(Path lib, String... words) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Dpacking.log=" + HOME.resolve("rehearsal.log"),
                "-cp",
                lib + "/*"));
        line.addAll(List.of(words));
        Path output = HOME.resolve("output");
        Process process = new ProcessBuilder(line)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("%s failed: %s".formatted(line, Files.readString(output)));
        }
    }
}
