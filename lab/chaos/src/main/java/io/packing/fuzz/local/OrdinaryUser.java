// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.local;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** An account of this host without rights, by its number, and its programs. */
public final class OrdinaryUser {
    /** The number of an account that no host has. */
    private static final String NUMBER = "54321";

    private static final long MOST_SECONDS = 120;

    private final Path classes;

    private OrdinaryUser(Path classes) {
        this.classes = classes;
    }

    /** The output of a run of the program. */
    public record Said(int tried, List<String> harm) {}

    /**
     * Puts the program into a directory that every user may read.
     *
     * @param classes the directory, which is made
     */
    public static OrdinaryUser at(Path classes) throws IOException {
        String name = Prowler.class.getName().replace('.', '/') + ".class";
        Path file = classes.resolve(name);
        Path unused = Files.createDirectories(Objects.requireNonNull(file.getParent()));
        try (InputStream in = Objects.requireNonNull(Prowler.class.getResourceAsStream("/" + name))) {
            long copied = Files.copy(in, file);
            if (copied == 0) {
                throw new IOException(name + " is empty");
            }
        }
        for (Path at = file; !at.equals(classes.getParent()); at = Objects.requireNonNull(at.getParent())) {
            open(at);
        }
        return new OrdinaryUser(classes);
    }

    /** Lets every user read a file, or enter a directory. */
    public static void open(Path path) throws IOException {
        Path unused = Files.setPosixFilePermissions(
                path, PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
    }

    private static List<String> command(String... program) {
        List<String> command =
                new ArrayList<>(List.of("setpriv", "--reuid=" + NUMBER, "--regid=" + NUMBER, "--clear-groups"));
        command.addAll(List.of(program));
        return command;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Returns the missing means on this host for a process of another user; empty without any. */
    public static Optional<String> missing() {
        try {
            int code = new ProcessBuilder(command(java(), "-version"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            return code == 0
                    ? Optional.empty()
                    : Optional.of("run this as root, with a JDK that other users may run, too");
        } catch (IOException e) {
            return Optional.of("no setpriv: apt-get install util-linux, and run this as root");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted");
        }
    }

    /** Runs the {@link Prowler}. */
    public Said prowl(List<String> lines) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command(
                        java(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-cp",
                        classes.toString(),
                        Prowler.class.getName()))
                .directory(classes.toFile())
                .redirectErrorStream(true)
                .start();
        try (OutputStream to = process.getOutputStream()) {
            to.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException("the process of an ordinary user does not end");
        }
        List<String> harm = said.lines()
                .filter(line -> line.startsWith("HARM "))
                .map(line -> line.substring("HARM ".length()))
                .toList();
        int tried = said.lines()
                .filter(line -> line.startsWith("TRIED "))
                .mapToInt(line -> Integer.parseInt(line.substring("TRIED ".length())))
                .findFirst()
                .orElseThrow(() -> new IOException("the process of an ordinary user failed: " + said));
        return new Said(tried, harm);
    }
}
