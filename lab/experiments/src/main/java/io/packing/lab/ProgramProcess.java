// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A child JVM that has this process's streams and ends with it. */
final class ProgramProcess {
    private ProgramProcess() {}

    static int run(List<Path> classPath, List<String> options, String mainClass, int megabytes, List<String> words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx%dm".formatted(megabytes),
                "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                mainClass));
        command.addAll(words);
        Process process = new ProcessBuilder(command).inheritIO().start();
        Thread end = new Thread(process::destroy, "end-program");
        Runtime.getRuntime().addShutdownHook(end);
        int code = process.waitFor();
        Runtime.getRuntime().removeShutdownHook(end);
        return code;
    }
}
