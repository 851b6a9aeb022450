// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import io.packing.process.leash.Leash;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A command that starts one child JVM.
 *
 * @param name of the child in messages and of its log file
 * @param mainClass the class with the child's work
 * @param classPath entries in order; {@code dir/*} stands for all jars of a folder
 * @param heapMegabytes the child's maximum heap
 * @param properties system properties
 * @param arguments arguments of the main class
 * @param environment variables beside those of this process; secrets belong here, since other users cannot list them
 * @param jvmOptions further options of the JVM; the last of two contradicting ones holds
 * @param java the home of the runtime, of version 11 or newer
 */
public record JavaCommand(
        String name,
        String mainClass,
        List<String> classPath,
        int heapMegabytes,
        Map<String, String> properties,
        List<String> arguments,
        Map<String, String> environment,
        List<String> jvmOptions,
        Path java) {
    /** A property of this process with options of all children. The options of one child override them. */
    private static final String CHILD_OPTIONS = "packing.child.options";

    private static final Path OURS = Path.of(System.getProperty("java.home"));

    public JavaCommand {
        if (heapMegabytes <= 0) {
            throw new IllegalArgumentException("%s: heap of %d MB".formatted(name, heapMegabytes));
        }
        classPath = List.copyOf(classPath);
        properties = Map.copyOf(properties);
        arguments = List.copyOf(arguments);
        environment = Map.copyOf(environment);
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** Creates a command without further options of the JVM. */
    public JavaCommand(
            String name,
            String mainClass,
            List<String> classPath,
            int heapMegabytes,
            Map<String, String> properties,
            List<String> arguments,
            Map<String, String> environment) {
        this(name, mainClass, classPath, heapMegabytes, properties, arguments, environment, List.of(), OURS);
    }

    /** Creates a command with this process's environment. */
    public JavaCommand(
            String name,
            String mainClass,
            List<String> classPath,
            int heapMegabytes,
            Map<String, String> properties,
            List<String> arguments) {
        this(name, mainClass, classPath, heapMegabytes, properties, arguments, Map.of());
    }

    /** Returns this command with these options of the JVM. */
    public JavaCommand withJvmOptions(List<String> options) {
        return new JavaCommand(
                name, mainClass, classPath, heapMegabytes, properties, arguments, environment, options, java);
    }

    /** Returns this command with the runtime of this home. */
    public JavaCommand withJava(Path home) {
        return new JavaCommand(
                name, mainClass, classPath, heapMegabytes, properties, arguments, environment, jvmOptions, home);
    }

    /**
     * Returns this command for a process that lives for seconds. It compiles its methods once and quickly, which saves
     * half of the processor time of its start.
     */
    public JavaCommand brief() {
        List<String> options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        options.addAll(jvmOptions);
        return withJvmOptions(options);
    }

    /** Returns the command without the values of the environment. */
    @Override
    public String toString() {
        return "JavaCommand[%s, %s %s]".formatted(name, mainClass, String.join(" ", arguments));
    }

    private static List<String> optionsOfAll() {
        return Stream.of(System.getProperty(CHILD_OPTIONS, "").split("\\s+"))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    /**
     * Returns the words of the command line. The child runs on a leash, so the leash's classes come last on the path.
     */
    List<String> words() {
        List<String> words = new ArrayList<>();
        words.add(java.resolve("bin/java").toString());
        words.add("-Xmx" + heapMegabytes + "m");
        // Otherwise the old generation would start small, and each growth would need a collection of the whole heap.
        words.add("-Xms" + heapMegabytes + "m");
        // Most allocations of these processes are small files in transit: they should die before they are copied.
        words.add("-Xmn" + heapMegabytes / 2 + "m");
        // Several JVMs share two cores and 4 GB, so they have no parallel collector threads and small stacks.
        words.add("-XX:+UseSerialGC");
        words.add("-Xss512k");
        // bin/packing has this option, too.
        words.add("-XX:-UsePerfData");
        words.add("-Djava.net.preferIPv4Stack=true");
        words.addAll(optionsOfAll());
        if (!java.equals(OURS)) {
            // Class files for another runtime were rewritten: each of its processes verifies them.
            words.add("-XX:+UnlockDiagnosticVMOptions");
            words.add("-XX:+BytecodeVerificationRemote");
        }
        words.addAll(jvmOptions);
        properties.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(e -> words.add("-D" + e.getKey() + "=" + e.getValue()));
        words.add("-cp");
        words.add(classPath.stream().collect(Collectors.joining(File.pathSeparator))
                + File.pathSeparator
                + ClassPaths.of(Leash.class));
        words.add(Leash.class.getName());
        words.add(mainClass);
        words.addAll(arguments);
        return words;
    }
}
