// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.soak;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The vital signs of a daemon.
 *
 * @param heapMegabytes used after a collection of the whole heap: what is left is referenced
 * @param nativeMegabytes resident memory without the heap, which is committed from the start
 * @param descriptors open files and connections
 * @param threads of the process
 */
record DaemonVitals(double heapMegabytes, double nativeMegabytes, long descriptors, long threads) {
    private static final Pattern USED = Pattern.compile("(?:generation|Metaspace)\\s.*?used (\\d+)K");
    private static final Pattern COMMITTED = Pattern.compile("generation\\s+total (\\d+)K");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final double KILO = 1024;
    private static final long PATIENCE_SECONDS = 60;

    /** Measures a process of this user. */
    static DaemonVitals of(long pid) throws IOException, InterruptedException {
        String unused = ask(pid, "GC.run");
        String heap = ask(pid, "GC.heap_info");
        double resident = sum(RESIDENT, Files.readString(Path.of("/proc/" + pid + "/status")));
        return new DaemonVitals(
                sum(USED, heap) / KILO,
                Math.max(0, resident - sum(COMMITTED, heap)) / KILO,
                entries(pid, "fd"),
                entries(pid, "task"));
    }

    private static String ask(long pid, String command) throws IOException, InterruptedException {
        Path tool = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        if (!Files.isExecutable(tool)) {
            throw new IOException("%s is not there: run this with a JDK, and not with a JRE".formatted(tool));
        }
        Process process = new ProcessBuilder(tool.toString(), Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IOException("jcmd %d %s: %s".formatted(pid, command, answer.strip()));
        }
        return answer;
    }

    private static double sum(Pattern pattern, String text) throws IOException {
        Matcher found = pattern.matcher(text);
        double sum = 0;
        int count = 0;
        while (found.find()) {
            sum += Double.parseDouble(found.group(1));
            count++;
        }
        if (count == 0) {
            throw new IOException("no '%s' in: %s".formatted(pattern, text));
        }
        return sum;
    }

    private static long entries(long pid, String folder) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/" + pid, folder))) {
            return all.count();
        }
    }

    /** Returns the megabytes of all files below a directory, of which some may vanish meanwhile. */
    static double megabytes(Path directory) throws IOException {
        long bytes = 0;
        try (Stream<Path> walk = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) walk::iterator) {
                bytes += length(path);
            }
        } catch (UncheckedIOException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                return megabytes(directory);
            }
            throw e;
        }
        return bytes / KILO / KILO;
    }

    private static long length(Path path) throws IOException {
        try {
            return Files.isRegularFile(path) ? Files.size(path) : 0;
        } catch (NoSuchFileException e) {
            return 0;
        }
    }
}
