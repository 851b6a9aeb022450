// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * A recorder of a command's system calls by strace. strace writes to a named pipe, which is parsed while the command
 * runs. A slow recorder slows the command down: it drops no call.
 */
public final class StraceRecorder {
    private static final List<String> STRACE = List.of(
            "strace",
            "--follow-forks",
            "--decode-fds=path",
            "--string-limit=0",
            "--quiet=attach,personality",
            "--signal=none",
            "--absolute-timestamps=format:unix,precision:ns",
            "--syscall-times=ns",
            // These calls print whole arrays of buffers and requests, which --string-limit would shorten.
            "--abbrev=!readv,writev,preadv,pwritev,preadv2,pwritev2,io_submit");

    private static final String INSTALL = "strace is missing: install it, such as by 'apt-get install strace'";

    /**
     * A recording to make.
     *
     * @param command and its arguments
     * @param task name that distinguishes its events in a merged trace
     * @param host the name of this machine
     * @param trees whose files are listed before the command starts
     * @param filter whether the kernel skips calls that no trace needs (strace's {@code --seccomp-bpf})
     * @param stacks whether to record the functions on the stack of each call, which takes much longer
     */
    public record Request(
            List<String> command, String task, String host, List<Path> trees, boolean filter, boolean stacks) {
        public Request {
            if (command.isEmpty()) {
                throw new IllegalArgumentException("no command to record");
            }
            command = List.copyOf(command);
            trees = List.copyOf(trees);
        }
    }

    /**
     * The result of a recording.
     *
     * @param status the command's exit status; 128 and the signal's number for a killed one
     * @param events that were written, notes included
     * @param unseen operations that left no event
     * @param irregular disturbances of the recording
     * @param wholeSnapshot whether all files of the trees were listed
     */
    public record Outcome(
            int status,
            long events,
            Map<UnrecordedReason, Long> unseen,
            Map<Irregularity, Long> irregular,
            boolean wholeSnapshot) {}

    private StraceRecorder() {}

    /** Returns whether this machine has strace. */
    public static boolean isInstalled() {
        String path = System.getenv().getOrDefault("PATH", "");
        for (String directory : path.split(":", -1)) {
            if (!directory.isEmpty() && Files.isExecutable(Path.of(directory, "strace"))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Requires strace on this machine.
     *
     * @throws IOException if strace is missing, with the package to install
     */
    public static void requireInstalled() throws IOException {
        if (!isInstalled()) {
            throw new IOException(INSTALL);
        }
    }

    /**
     * Runs a command with this process's standard input, output and error, and writes its events.
     *
     * @throws IOException also if strace is missing, with the package to install; the command does not run then
     */
    public static Outcome record(Request request, TraceFileWriter out) throws IOException, InterruptedException {
        return record(request, command -> new ProcessBuilder(command).inheritIO(), out);
    }

    /** A maker of the process to start: its directory, environment and standard streams. */
    public interface Starter {
        ProcessBuilder of(List<String> command);
    }

    /**
     * Runs a command as {@code starter} defines, and writes its events.
     *
     * @throws IOException also if strace is missing, with the package to install; the command does not run then
     */
    public static Outcome record(Request request, Starter starter, TraceFileWriter out)
            throws IOException, InterruptedException {
        requireInstalled();
        Path scratch = Files.createTempDirectory("packing-record-");
        Path pipe = scratch.resolve("strace");
        try {
            makePipe(pipe);
            return record(request, starter, out, pipe);
        } finally {
            Files.deleteIfExists(pipe);
            Files.deleteIfExists(scratch);
        }
    }

    static void makePipe(Path pipe) throws IOException, InterruptedException {
        Process made = new ProcessBuilder("mkfifo", "-m", "600", pipe.toString())
                .inheritIO()
                .start();
        if (made.waitFor() != 0) {
            throw new IOException("cannot make a named pipe at " + pipe);
        }
    }

    private static Outcome record(Request request, Starter starter, TraceFileWriter out, Path pipe)
            throws IOException, InterruptedException {
        // This is the clock that stamps files, which lags behind others.
        FileTime start = (FileTime) Files.getAttribute(pipe, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
        InitialFiles snapshot = InitialFiles.of(request.trees(), start);
        Instant now = start.toInstant();
        long startNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano();
        ProcessBuilder builder = starter.of(commandLine(request, pipe));
        Path directory =
                builder.directory() == null ? Path.of("") : builder.directory().toPath();
        boolean inherits = builder.redirectOutput().equals(ProcessBuilder.Redirect.INHERIT);
        String from = directory.toAbsolutePath().toString();
        InheritedState inherited = inherits ? InheritedState.ofThisProcess(from) : new InheritedState(from, List.of());
        Process strace = builder.start();
        CountDownLatch opened = new CountDownLatch(1);
        Thread waiter = unblockWhenGone(strace, pipe, opened);
        try (InputStream lines = Files.newInputStream(pipe)) {
            opened.countDown();
            CallSource source =
                    CallSource.ofCommand(lines, request.host(), request.task(), startNanos, snapshot, inherited);
            long events = 0;
            for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
                out.write(next.get());
                events++;
            }
            int status = strace.waitFor();
            return new Outcome(status, events, source.unseen(), source.irregular(), snapshot.isWhole());
        } finally {
            opened.countDown();
            strace.destroy();
            waiter.join();
        }
    }

    /** Opens the pipe if strace ends before it has: otherwise the reader's open would wait forever. */
    private static Thread unblockWhenGone(Process strace, Path pipe, CountDownLatch opened) {
        Thread waiter = new Thread(
                () -> {
                    try {
                        strace.waitFor();
                        if (opened.getCount() > 0) {
                            FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)
                                    .close();
                        }
                    } catch (IOException e) {
                        // The reader has ended, too, and reports the cause.
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "strace-waiter");
        waiter.setDaemon(true);
        waiter.start();
        return waiter;
    }

    private static List<String> commandLine(Request request, Path pipe) {
        List<String> line = new ArrayList<>(STRACE);
        if (request.filter()) {
            line.add("--seccomp-bpf");
        }
        if (request.stacks()) {
            line.add("--stack-traces");
        }
        line.add("--trace=" + String.join(",", tracedCalls()));
        line.add("--output=" + pipe);
        line.add("--");
        line.addAll(request.command());
        return line;
    }

    /** Returns the calls to trace. strace skips those behind a question mark that the machine does not have. */
    private static List<String> tracedCalls() {
        Tasks tasks = new Tasks(new DescriptorTable(), "");
        Recording nothing = new Recording("", "", 0, new FileTree(InitialState.UNKNOWN), event -> {});
        return new CallModel(nothing, tasks)
                .names().stream().map(name -> "?" + name).toList();
    }
}
