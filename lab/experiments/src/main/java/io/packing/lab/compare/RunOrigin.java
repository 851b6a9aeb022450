// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The code, the machine and the options of a measurement, without which its figures say little.
 *
 * @param commit of the sources; it ends with {@code -dirty} if they differed from it
 * @param options of the mount that differ from the defaults that ship
 */
public record RunOrigin(String commit, String machine, Map<String, String> options) {
    private static final String UNKNOWN = "unknown";
    private static final double GIB_OF_KB = 1 << 20;

    public RunOrigin {
        options = new TreeMap<>(options);
    }

    /**
     * Returns the origin of figures that this machine measures now.
     *
     * @param sources the root of the clone
     * @param options that the user gave the mount
     */
    public static RunOrigin of(Path sources, Map<String, String> options) throws InterruptedException {
        return new RunOrigin(commitOf(sources), thisMachine(), options);
    }

    private static String commitOf(Path sources) throws InterruptedException {
        try {
            Process git = new ProcessBuilder(
                            "git", "-C", sources.toString(), "describe", "--always", "--dirty", "--abbrev=12")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 && !said.isEmpty() ? said : UNKNOWN;
        } catch (IOException e) {
            // A clone without git still measures.
            return UNKNOWN;
        }
    }

    private static String thisMachine() {
        return String.format(
                Locale.ROOT,
                "%s, %d processors, %s, %s %s, JDK %s",
                line(Path.of("/proc/cpuinfo"), "model name"),
                Runtime.getRuntime().availableProcessors(),
                memory(line(Path.of("/proc/meminfo"), "MemTotal")),
                System.getProperty("os.name"),
                System.getProperty("os.version"),
                System.getProperty("java.version"));
    }

    /** Returns the value of the first line that begins with a name. */
    private static String line(Path file, String name) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(each -> each.startsWith(name))
                    .map(each -> each.substring(each.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    private static String memory(String kilobytes) {
        String digits = kilobytes.replaceAll("\\D", "");
        return digits.isEmpty()
                ? UNKNOWN
                : String.format(Locale.ROOT, "%.0f GiB", Double.parseDouble(digits) / GIB_OF_KB);
    }

    /** Returns the lines for people. */
    public List<String> lines() {
        String mount = options.isEmpty() ? "the defaults that ship" : options.toString();
        return List.of("Mount: " + mount, "Commit: " + commit, "Machine: " + machine);
    }
}
