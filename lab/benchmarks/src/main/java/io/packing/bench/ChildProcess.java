// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A child process with a driver's class path: it prints one line when it is ready, and ends when its input does. */
final class ChildProcess implements AutoCloseable {
    private static final double TICKS_PER_SECOND = 100;

    private final Process process;
    private final String ready;

    private ChildProcess(Process process, String ready) {
        this.process = process;
        this.ready = ready;
    }

    static ChildProcess start(Class<?> main, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        String line = out.readLine();
        if (line == null) {
            process.destroy();
            throw new IOException("%s ended before it was ready".formatted(arguments));
        }
        return new ChildProcess(process, line);
    }

    /** Prints the line in the child, and waits until the parent closes the input. */
    static void serve(String line) throws IOException {
        System.out.println(line);
        System.out.flush();
        while (System.in.read() >= 0) {
            // The parent never writes.
        }
    }

    /** Returns the line of the child. */
    String ready() {
        return ready;
    }

    /** Returns the resident memory of the child in MiB, as Linux counts it. */
    double residentMiB() throws IOException {
        return Measure.residentMiB(process.pid());
    }

    double cpuSeconds() throws IOException {
        return cpuSeconds(process.pid());
    }

    /** Returns the processor time of a process so far, user and system. */
    static double cpuSeconds(long pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }

    /** Returns the bytes of the pages that the process has made dirty so far. */
    double bytesWritten() throws IOException {
        return Files.readAllLines(Path.of("/proc/" + process.pid() + "/io")).stream()
                .filter(line -> line.startsWith("write_bytes:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
