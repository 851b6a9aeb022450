// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import io.packing.chaos.client.ClassTraining;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import io.packing.process.ProcessFailedException;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A starter of this project's programs as small child processes that start fast, from this process's class path.
 *
 * @param logs directory of each process's output and log
 * @param archive classes that the processes share, if they could be archived
 * @param options further options of each JVM
 * @param started counter of processes, which gives each its own log files
 */
record Launch(Path logs, Optional<Path> archive, List<String> options, AtomicInteger started) {
    private static final Logger LOG = LoggerFactory.getLogger(Launch.class);
    /**
     * The options of a JVM that writes an archive. Objects in it must be written with G1, and all collectors can read
     * them.
     */
    private static final List<String> DUMP = List.of("-Xshare:dump", "-XX:-UseSerialGC", "-XX:+UseG1GC");

    /** A property with a folder that keeps the archives for later runs on the same jars. */
    private static final String ARCHIVES = "packing.chaos.archives";

    /** The beginning of a lambda's line in a list of classes. */
    private static final String LAMBDA = "@lambda-proxy";

    private static final Duration TRAINING = Duration.ofMinutes(3);
    private static final int TRAINING_MEGABYTES = 256;

    /** Makes a starter with logs in a directory. */
    static Launch below(Path logs) throws IOException {
        return new Launch(Files.createDirectories(logs), Optional.empty(), List.of(), new AtomicInteger());
    }

    /** Returns this starter with logs in another directory. */
    Launch withLogs(Path directory) throws IOException {
        return new Launch(Files.createDirectories(directory), archive, options, started);
    }

    /** Returns this starter for processes that look up host names only in a file. */
    Launch withHosts(Path file) {
        return new Launch(logs, archive, List.of("-Djdk.net.hosts.file=" + file), started);
    }

    /**
     * Returns this starter with an archive of classes, if this JVM can make one: Java archives classes of jars, not of
     * folders.
     *
     * @param mount options of a mount for the training alone
     * @param keys variables of the environment with the keys of its store
     */
    Launch trained(Path home, Map<String, String> mount, Map<String, String> keys)
            throws IOException, InterruptedException {
        if (!classPath().stream().allMatch(entry -> entry.endsWith(".jar"))) {
            return this;
        }
        String kept = System.getProperty(ARCHIVES, "");
        if (kept.isEmpty()) {
            return trained(home, mount, keys, home.resolve("classes.jsa"));
        }
        Path folder = Files.createDirectories(Path.of(kept));
        Path file = folder.resolve("classes-%08x.jsa".formatted(key(mount)));
        try (FileChannel channel =
                        FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock unused = channel.lock()) {
            return Files.exists(file)
                    ? new Launch(logs, Optional.of(file), options, started)
                    : trained(home, mount, keys, file);
        }
    }

    /** Returns a number that jars with another path, length or time have, and other kinds of stores. */
    private static long key(Map<String, String> mount) throws IOException {
        CRC32 crc = new CRC32();
        List<String> parts = new ArrayList<>();
        for (String jar : classPath()) {
            Path file = Path.of(jar);
            parts.add("%s %d %s".formatted(jar, Files.size(file), Files.getLastModifiedTime(file)));
        }
        parts.addAll(mount.keySet().stream().sorted().toList());
        parts.forEach(part -> crc.update(part.getBytes(StandardCharsets.UTF_8)));
        return crc.getValue();
    }

    private Launch trained(Path home, Map<String, String> mount, Map<String, String> keys, Path file)
            throws IOException, InterruptedException {
        Path names = home.resolve("classes.lst");
        List<String> words = new ArrayList<>(
                List.of(home.resolve("training").toString(), "" + Ports.free(1).get(0)));
        mount.forEach((key, value) -> words.add(key + "=" + value));
        try {
            // Two steps drop the lambdas: a JVM of version 17 crashes when it archives the lambdas of some classes. One
            // step could not leave them out.
            train("training", words, keys, List.of("-XX:DumpLoadedClassList=" + names));
            withoutLambdas(names);
            List<String> dump = new ArrayList<>(DUMP);
            dump.add("-XX:SharedClassListFile=" + names);
            dump.add("-XX:SharedArchiveFile=" + file);
            train("archive", List.of(), keys, dump);
        } catch (ProcessFailedException e) {
            LOG.warn("no archive of classes could be made: processes start more slowly, without other effects", e);
            return this;
        } finally {
            Trees.delete(home.resolve("training"));
        }
        return new Launch(logs, Optional.of(file), options, started);
    }

    private static void withoutLambdas(Path names) throws IOException {
        List<String> classes = Files.readAllLines(names).stream()
                .filter(line -> !line.startsWith(LAMBDA))
                .toList();
        Path unused = Files.write(names, classes);
    }

    private void train(String name, List<String> words, Map<String, String> keys, List<String> options)
            throws IOException, InterruptedException {
        try (JavaProcess process =
                start(name, ClassTraining.class.getName(), TRAINING_MEGABYTES, words, keys, options)) {
            process.awaitEnd(TRAINING);
        }
    }

    JavaProcess start(String name, String main, int megabytes, List<String> words, Map<String, String> environment)
            throws IOException {
        List<String> all = new ArrayList<>(options);
        archive.ifPresent(file -> all.add("-XX:SharedArchiveFile=" + file));
        return start(name, main, megabytes, words, environment, all);
    }

    private JavaProcess start(
            String name,
            String main,
            int megabytes,
            List<String> words,
            Map<String, String> environment,
            List<String> more)
            throws IOException {
        String unique = "%s-%d".formatted(name, started.incrementAndGet());
        JavaCommand command = new JavaCommand(
                        unique,
                        main,
                        classPath(),
                        megabytes,
                        Map.of("packing.log", inside(unique).toString()),
                        words,
                        environment)
                .withJvmOptions(more)
                .brief();
        return JavaProcess.start(command, logs);
    }

    /** Returns the log file of a process, by its {@link JavaProcess#name}. */
    Path inside(String process) {
        return logs.resolve(process + "-inside.log");
    }

    /** Returns this process's class path without test classes. */
    private static List<String> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.endsWith("test-classes"))
                .toList();
    }
}
