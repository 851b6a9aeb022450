package io.packing.chaos.cluster;

import io.packing.chaos.client.Training;
import io.packing.process.JavaCommand;
import io.packing.process.JavaProcess;
import io.packing.process.Ports;
import io.packing.process.ProcessFailedException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts this project's programs as child processes, small and quick to start, from the class path of this one.
 *
 * @param logs where each process leaves what it prints and what it logs
 * @param archive loaded classes that they share, when there are some
 * @param options further options of each JVM
 * @param started counts the processes: each has log files of its own
 */
record Launch(Path logs, Optional<Path> archive, List<String> options, AtomicInteger started) {
    private static final Logger LOG = LoggerFactory.getLogger(Launch.class);
    /** Archives classes, and objects too, which one collector can write and all can read. */
    private static final List<String> DUMP = List.of("-Xshare:dump", "-XX:-UseSerialGC", "-XX:+UseG1GC");

    /** How the line of a lambda begins in a list of classes. */
    private static final String LAMBDA = "@lambda-proxy";

    private static final Duration TRAINING = Duration.ofMinutes(3);
    private static final int TRAINING_MEGABYTES = 256;

    /** With logs in a directory. */
    static Launch below(Path logs) throws IOException {
        return new Launch(Files.createDirectories(logs), Optional.empty(), List.of(), new AtomicInteger());
    }

    /** The same with logs elsewhere. */
    Launch withLogs(Path directory) throws IOException {
        return new Launch(Files.createDirectories(directory), archive, options, started);
    }

    /** The same for processes that look up the names of hosts in a file, and nowhere else. */
    Launch withHosts(Path file) {
        return new Launch(logs, archive, List.of("-Djdk.net.hosts.file=" + file), started);
    }

    /**
     * The same with an archive of classes, if one can be made: Java archives those of jars, not of folders.
     *
     * @param mount options of a mount on which that is done, and on nothing else
     */
    Launch trained(Path home, Map<String, String> mount) throws IOException, InterruptedException {
        if (!classPath().stream().allMatch(entry -> entry.endsWith(".jar"))) {
            return this;
        }
        Path names = home.resolve("classes.lst");
        Path file = home.resolve("classes.jsa");
        List<String> words = new ArrayList<>(
                List.of(home.resolve("training").toString(), "" + Ports.free(1).get(0)));
        mount.forEach((key, value) -> words.add(key + "=" + value));
        try {
            // In two steps and without lambdas: a JVM of version 17 crashes when it archives the lambdas of some
            // classes. A JVM that archives what it has loaded itself cannot leave them out.
            train("training", words, List.of("-XX:DumpLoadedClassList=" + names));
            withoutLambdas(names);
            List<String> dump = new ArrayList<>(DUMP);
            dump.add("-XX:SharedClassListFile=" + names);
            dump.add("-XX:SharedArchiveFile=" + file);
            train("archive", List.of(), dump);
        } catch (ProcessFailedException e) {
            LOG.warn("no archive of classes could be made: every process starts slower, nothing else differs", e);
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

    private void train(String name, List<String> words, List<String> options) throws IOException, InterruptedException {
        try (JavaProcess process =
                start(name, Training.class.getName(), TRAINING_MEGABYTES, words, Cluster.KEYS, options)) {
            process.awaitEnd(TRAINING);
        }
    }

    /** Starts a program. */
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

    /** What a process logs, by its {@link JavaProcess#name}. */
    Path inside(String process) {
        return logs.resolve(process + "-inside.log");
    }

    /** Ours without the classes of tests. */
    private static List<String> classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> !entry.endsWith("test-classes"))
                .toList();
    }
}
