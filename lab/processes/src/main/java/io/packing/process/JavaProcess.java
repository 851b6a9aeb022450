// SPDX-License-Identifier: Apache-2.0
package io.packing.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A running child JVM with its log file. {@link #close} asks it to end, and kills it after a grace period. */
public final class JavaProcess implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(50);
    /** A shell that waits for a line and then becomes the command in its arguments. */
    private static final List<String> WAITING = List.of("sh", "-c", "read -r go && exec \"$@\"", "waiting");

    private final String name;
    private final Process process;
    private final Path log;
    /**
     * The position in the log where this process's output begins. The log may have the output of an earlier process.
     */
    private final long logStart;

    private JavaProcess(String name, Process process, Path log, long logStart) {
        this.name = name;
        this.process = process;
        this.log = log;
        this.logStart = logStart;
    }

    /** Starts a server. Its output is appended to {@code logDir/name.log}. */
    public static JavaProcess start(JavaCommand command, Path logDir) throws IOException {
        return serve(command, logDir, List.of());
    }

    /**
     * Prepares a server, which starts with {@link #begin}; until then it is a shell.
     *
     * <p>A starting process closes the files that this one has open. On a mount that waits for the server, this would
     * take for ever. So the shell starts before the mount needs the server.
     */
    public static JavaProcess prepare(JavaCommand command, Path logDir) throws IOException {
        return serve(command, logDir, WAITING);
    }

    private static JavaProcess serve(JavaCommand command, Path logDir, List<String> before) throws IOException {
        Path log = logDir.resolve(command.name() + ".log");
        ProcessBuilder builder =
                builder(command, logDir).redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.toString())));
        builder.command().addAll(0, before);
        long start = LogTail.length(log);
        return new JavaProcess(command.name(), builder.redirectErrorStream(true).start(), log, start);
    }

    /** Starts a prepared server. */
    public void begin() throws IOException {
        OutputStream in = process.getOutputStream();
        in.write('\n');
        in.flush();
    }

    /**
     * Runs a tool to its end. Its errors are appended to {@code logDir/name.log}, and each line of its output goes to
     * {@code lines}.
     *
     * @throws ProcessFailedException if it ends with another status than 0
     */
    public static void run(JavaCommand command, Path logDir, Consumer<String> lines)
            throws IOException, InterruptedException {
        Path log = logDir.resolve(command.name() + ".log");
        long start = LogTail.length(log);
        Process process = builder(command, logDir)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        try (JavaProcess tool = new JavaProcess(command.name(), process, log, start);
                BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.accept(line);
            }
            int status = process.waitFor();
            if (status != 0) {
                throw tool.failure("ended with status " + status);
            }
        }
    }

    private static ProcessBuilder builder(JavaCommand command, Path logDir) throws IOException {
        Files.createDirectories(logDir);
        ProcessBuilder builder = new ProcessBuilder(command.words()).directory(new File(logDir.toString()));
        builder.environment().putAll(command.environment());
        return builder;
    }

    public String name() {
        return name;
    }

    public long pid() {
        return process.pid();
    }

    /** Returns the processor time used so far, or zero where the system does not know it. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public Path log() {
        return log;
    }

    /**
     * Waits until a condition holds.
     *
     * @param notYet the message's text about the process when time is up
     * @throws ProcessFailedException if the process ends first, or time is up
     */
    public void await(String notYet, Duration timeout, Await.Condition condition)
            throws IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            // The check for the end comes before the condition: the process's work before its end counts.
            boolean ended = process.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS);
            if (condition.holds()) {
                return;
            }
            if (ended) {
                throw failure("ended with status " + process.exitValue() + " before it was ready");
            }
            if (System.nanoTime() > deadline) {
                throw failure("%s after %d s".formatted(notYet, timeout.toSeconds()));
            }
        }
    }

    /**
     * Waits until this process listens on a loopback port.
     *
     * @throws ProcessFailedException if the process ends first, or time is up
     */
    public void awaitPort(int port, Duration timeout) throws IOException, InterruptedException {
        await("does not listen on port " + port, timeout, () -> listens(port));
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Waits until a server has printed a line with this beginning, and returns the rest of the line. A server that
     * chooses its port prints it so.
     *
     * @throws ProcessFailedException if the process ends first, or time is up
     */
    public String awaitLine(String beginning, Duration timeout) throws IOException, InterruptedException {
        List<String> rest = new ArrayList<>();
        await("is not ready", timeout, () -> {
            LogTail.lines(log, logStart).stream()
                    .filter(line -> line.startsWith(beginning))
                    .forEach(line -> rest.add(line.substring(beginning.length())));
            return !rest.isEmpty();
        });
        return rest.get(rest.size() - 1);
    }

    /**
     * Waits until the process has ended by itself with status 0.
     *
     * @throws ProcessFailedException if it ends with another status, or time is up and it still runs
     */
    public void awaitEnd(Duration timeout) throws IOException, InterruptedException {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw failure("does not end within " + timeout.toSeconds() + " s");
        }
        if (process.exitValue() != 0) {
            throw failure("ended with status " + process.exitValue());
        }
    }

    /** Kills the process as a crash would, and waits for its end. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /**
     * Stops the process where it is, as happens to a machine without memory or during a move. It can still be killed.
     */
    public void suspend() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** Continues a stopped process. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + signal, Long.toString(pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw failure("could not be sent SIG" + signal);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** Returns an exception that describes the failure, with the end of the log. */
    public ProcessFailedException failure(String what) {
        return new ProcessFailedException(name, what, log, LogTail.of(log));
    }
}
