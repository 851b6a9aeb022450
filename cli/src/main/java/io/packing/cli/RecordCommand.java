// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceFileWriter.FileOptions;
import io.packing.trace.TraceFiles;
import io.packing.trace.syscalls.Irregularity;
import io.packing.trace.syscalls.KernelRecorder;
import io.packing.trace.syscalls.StraceRecorder;
import io.packing.trace.syscalls.UnrecordedReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Records what a command asks of the kernel. */
@Command(
        name = "record",
        description = {
            "Runs a command and records the system calls on files that it and its children make, by strace or BPF.",
            "Ends with 0 when the command does."
        })
final class RecordCommand implements Callable<Integer> {
    @Mixin
    private Report report = new Report();

    @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "What to run, behind --.")
    private List<String> command = List.of();

    @Option(
            names = {"-o", "--out"},
            paramLabel = "FILE",
            description = "A new trace file (default: TASK.htfs, here).")
    private Optional<Path> out = Optional.empty();

    @Option(names = "--task", description = "A name for what is recorded (default: the command's).")
    private Optional<String> task = Optional.empty();

    @Option(
            names = "--tree",
            paramLabel = "DIR",
            description = "List the files below, with their sizes, before the command starts (default: here).")
    private List<Path> trees = List.of(Path.of(""));

    @Option(
            names = "--every-call",
            description = "Stop the command at calls that are not recorded, too: slower, for kernels without seccomp.")
    private boolean everyCall;

    @Option(names = "--stacks", description = "Record which functions of which libraries made each call: much slower.")
    private boolean stacks;

    @Option(
            names = "--in-kernel",
            description =
                    "Record by programs in the kernel (BPF), also page faults of mapped files and processor time; far"
                            + " less cost, needs root. What finds no room is lost, and counted.")
    private boolean inKernel;

    @Override
    public Integer call() throws IOException, InterruptedException {
        String name = task.orElseGet(() -> {
            Path file = Path.of(command.get(0)).getFileName();
            return file == null ? "command" : file.toString();
        });
        Path file = out.orElseGet(() -> Path.of(name + TraceFiles.SUFFIX));
        StraceRecorder.Request request = new StraceRecorder.Request(command, name, host(), trees, !everyCall, stacks);
        if (!inKernel) {
            StraceRecorder.requireInstalled();
        }
        StraceRecorder.Outcome outcome;
        CountDownLatch written = new CountDownLatch(1);
        // An interrupt from the keyboard is for the command: what it did is written before this process ends.
        Thread patience = new Thread(() -> await(written), "record-patience");
        Runtime.getRuntime().addShutdownHook(patience);
        try (TraceFileWriter writer = TraceFileWriter.create(file, FileOptions.ofVersion(2))) {
            outcome = inKernel ? KernelRecorder.record(request, writer) : StraceRecorder.record(request, writer);
        } finally {
            written.countDown();
        }
        forget(patience);
        tell(outcome, file);
        return outcome.status() == 0 ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already.
        }
    }

    private void tell(StraceRecorder.Outcome outcome, Path file) {
        if (report.isJson()) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("trace", file.toAbsolutePath().toString());
            json.put("status", outcome.status());
            json.put("events", outcome.events());
            json.put("unseen", byLabel(outcome.unseen(), UnrecordedReason::label));
            json.put("irregular", byLabel(outcome.irregular(), Irregularity::label));
            json.put("whole_snapshot", outcome.wholeSnapshot());
            report.print(json, text -> {});
            return;
        }
        // Standard output is the command's.
        report.err().printf("packing: %s: %,d events%n", file, outcome.events());
        byLabel(outcome.unseen(), UnrecordedReason::label)
                .forEach((reason, count) -> report.err().printf("packing: not seen: %,d of %s%n", count, reason));
        byLabel(outcome.irregular(), Irregularity::label)
                .forEach((kind, count) -> report.err().printf("packing: irregular: %,d of %s%n", count, kind));
        if (!outcome.wholeSnapshot()) {
            report.err()
                    .println("packing: too many files to list: sizes of those that change may be unknown;"
                            + " name the directories that matter with --tree");
        }
        if (outcome.status() != 0) {
            report.err().printf("packing: the command ended with %d%n", outcome.status());
        }
        report.err().flush();
    }

    static <K> Map<String, Long> byLabel(Map<K, Long> counts, Function<K, String> label) {
        Map<String, Long> byLabel = new TreeMap<>();
        counts.forEach((key, count) -> byLabel.put(label.apply(key), count));
        return byLabel;
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
