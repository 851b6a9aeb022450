// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.trace.TraceFileWriter;
import io.packing.trace.syscalls.KernelRecorder;
import io.packing.trace.syscalls.StraceRecorder;
import io.packing.trace.syscalls.UnrecordedReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A benchmark of recording a program's system calls. It runs the recorder in the kernel, that by strace with and without the kernel's filter and with
 * stacks, and other tracers that a recorder could use, which only print here. Each load runs under each tracer in turn,
 * and times itself, so that a tracer's own start does not count. A round's ratios compare with its run without a
 * tracer.
 *
 * <p>Usage: {@code syscall-recording [rounds] [pdf|doc|git|TRACER ...]}. Loads are exports by LibreOffice, and git and cp on
 * 300 files. Loads and tracers whose program is missing are left out.
 */
public final class SyscallRecording {
    private static final String NONE = "none";
    private static final String STACKS = "strace_stacks";
    /** The recorder with programs in the kernel. */
    private static final String KERNEL = "kernel";

    private static final int FILES = 300;
    /** The message of perf and bpftrace about full buffers. */
    private static final Pattern LOST = Pattern.compile("(?i)lost (\\d+) events");

    /**
     * A script that prints all calls of a process tree with arguments, results and durations, and the path of each
     * open.
     */
    private static final String BPF = """
            BEGIN { @traced[cpid] = 1; }
            tracepoint:sched:sched_process_fork /@traced[tid]/ { @traced[args->child_pid] = 1; }
            tracepoint:raw_syscalls:sys_enter /@traced[tid]/ {
                @start[tid] = nsecs; @a[tid] = args->args[0]; @b[tid] = args->args[2]; }
            tracepoint:syscalls:sys_enter_openat /@traced[tid]/ { printf("%d %s\\n", tid, str(args->filename)); }
            tracepoint:raw_syscalls:sys_exit /@traced[tid]/ {
                printf("%d %d %d %d %d %d\\n", tid, args->id, @a[tid], @b[tid], args->ret, nsecs - @start[tid]); }
            tracepoint:sched:sched_process_exit /@traced[tid]/ { delete(@traced[tid]); }
            """;

    private record Load(String name, String program, String setup, String run) {}

    private static final String OFFICE = "soffice -env:UserInstallation=file://$PWD/profile --headless";
    private static final String TEXT =
            "for n in $(seq 600); do echo \"Line $n of a text of fifteen pages, which is long enough.\"; done > text.txt; "
                    + OFFICE + " --convert-to odt text.txt > /dev/null";

    private static final List<Load> LOADS = List.of(
            new Load("pdf", "soffice", TEXT, OFFICE + " --convert-to pdf text.odt > /dev/null"),
            new Load("doc", "soffice", TEXT, OFFICE + " --convert-to doc text.odt > /dev/null"),
            new Load(
                    "git",
                    "git",
                    "mkdir -p sources; for n in $(seq %d); do seq $n > sources/$n.txt; done".formatted(FILES),
                    "rm -rf .git copy; git init -q . && git add sources && git -c user.name=a -c user.email=a@b commit -q"
                            + " -m First && cp -r sources copy"));

    private final Path directory;
    /** The tracers that this machine has, and the run without one. */
    private final List<String> tracers = new ArrayList<>(List.of(NONE));

    private long lostByRecorder;
    private long processorMillis;

    /** @param wanted names of loads and tracers; all tracers without any of theirs */
    private SyscallRecording(Path directory, List<String> wanted) throws IOException {
        this.directory = directory;
        Optional<String> obstacle = KernelRecorder.obstacle();
        obstacle.ifPresent(why -> System.out.println("# without the recorder in the kernel: " + why));
        if (obstacle.isEmpty()) {
            tracers.add(KERNEL);
        }
        tracers.addAll(List.of("strace_seccomp", "strace_every_call", STACKS));
        for (String tracer : List.of("perf", "bpftrace")) {
            if (isInstalled(tracer)) {
                tracers.add(tracer);
            }
        }
        if (tracers.stream().anyMatch(wanted::contains)) {
            tracers.removeIf(tracer -> !tracer.equals(NONE) && !wanted.contains(tracer));
        }
    }

    private static boolean isInstalled(String program) {
        return Files.isExecutable(Path.of("/usr/bin", program));
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        List<String> wanted = List.of(args).subList(Math.min(1, args.length), args.length);
        StraceRecorder.requireInstalled();
        Path directory = Files.createTempDirectory("syscall-recording");
        try {
            SyscallRecording bench = new SyscallRecording(directory, wanted);
            boolean all = LOADS.stream().map(Load::name).noneMatch(wanted::contains);
            System.out.println("load,tracer,round,milliseconds,ratio,processor_milliseconds,lost_events");
            for (Load load : LOADS) {
                if ((all || wanted.contains(load.name())) && isInstalled(load.program())) {
                    bench.measure(load, rounds);
                }
            }
        } finally {
            delete(directory);
        }
    }

    private void measure(Load load, int rounds) throws IOException, InterruptedException {
        shell(load.setup());
        // The first run of a program fills caches.
        double unused = run(load, NONE);
        Map<String, List<Double>> ratios = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            double without = run(load, NONE);
            long processorWithout = processorMillis;
            for (String tracer : tracers) {
                if (tracer.equals(STACKS) && round > 1) {
                    // A run with stacks takes minutes, and one is enough.
                    continue;
                }
                double millis = tracer.equals(NONE) ? without : run(load, tracer);
                ratios.computeIfAbsent(tracer, key -> new ArrayList<>()).add(millis / without);
                if (!tracer.equals(NONE)) {
                    ratios.computeIfAbsent(tracer + " in processor time", key -> new ArrayList<>())
                            .add((double) processorMillis / processorWithout);
                }
                System.out.printf(
                        Locale.ROOT,
                        "%s,%s,%d,%.0f,%.3f,%d,%d%n",
                        load.name(),
                        tracer,
                        round,
                        millis,
                        millis / without,
                        tracer.equals(NONE) ? processorWithout : processorMillis,
                        lost());
            }
        }
        ratios.forEach((tracer, all) -> {
            List<Double> sorted = all.stream().sorted().toList();
            System.out.printf(
                    Locale.ROOT,
                    "# %s: %s takes %.2f times as long as none, median of %d (%.2f to %.2f)%n",
                    load.name(),
                    tracer,
                    sorted.get(sorted.size() / 2),
                    sorted.size(),
                    sorted.get(0),
                    sorted.get(sorted.size() - 1));
        });
    }

    /** Runs a load; returns its milliseconds, by its own clock. */
    private double run(Load load, String tracer) throws IOException, InterruptedException {
        lostByRecorder = 0;
        String timed = "s=$(date +%s%N); " + load.run() + "; echo $((($(date +%s%N) - s) / 1000)) > micros";
        for (String file : List.of("micros", "perf.txt", "bpf.txt")) {
            Files.deleteIfExists(directory.resolve(file));
        }
        List<String> command = List.of("/bin/sh", "-c", timed);
        long before = childrenMillis();
        switch (tracer) {
            case NONE -> start(command);
            case "perf" -> start(with(List.of("perf", "trace", "-f", "-o", "perf.txt", "--"), command));
            case "bpftrace" -> {
                Files.writeString(directory.resolve("load.sh"), timed);
                start(List.of("bpftrace", "-o", "bpf.txt", "-c", "/bin/sh load.sh", "-e", BPF));
            }
            default -> record(command, tracer);
        }
        processorMillis = childrenMillis() - before;
        return Double.parseDouble(Files.readString(directory.resolve("micros")).strip()) / 1e3;
    }

    /** Returns the processor time of the loads and tracers so far: of this process's children, from hundredths of a second. */
    private static long childrenMillis() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
        return 10 * (Long.parseLong(fields.get(13)) + Long.parseLong(fields.get(14)));
    }

    /** Returns the events that the last run's tracer lost, by its own message. */
    private long lost() throws IOException {
        long lost = lostByRecorder;
        for (String file : List.of("output", "perf.txt", "bpf.txt")) {
            if (Files.exists(directory.resolve(file))) {
                String text = Files.readString(directory.resolve(file), StandardCharsets.ISO_8859_1);
                for (Matcher said = LOST.matcher(text); said.find(); ) {
                    lost += Long.parseLong(said.group(1));
                }
            }
        }
        return lost;
    }

    private void record(List<String> command, String tracer) throws IOException, InterruptedException {
        Path trace = directory.resolve("trace.htfs");
        Files.deleteIfExists(trace);
        StraceRecorder.Request request = new StraceRecorder.Request(
                command,
                "load",
                "host",
                List.of(directory),
                !tracer.equals("strace_every_call"),
                tracer.equals(STACKS));
        try (TraceFileWriter writer = TraceFileWriter.create(trace, TraceFileWriter.FileOptions.ofVersion(2))) {
            StraceRecorder.Outcome outcome = tracer.equals(KERNEL)
                    ? KernelRecorder.record(request, this::builder, writer)
                    : StraceRecorder.record(request, this::builder, writer);
            lostByRecorder = outcome.unseen().getOrDefault(UnrecordedReason.LOST_RECORD, 0L);
            if (outcome.status() != 0) {
                throw new IOException("the load ended with %d under %s".formatted(outcome.status(), tracer));
            }
        }
    }

    private static List<String> with(List<String> first, List<String> then) {
        return Stream.concat(first.stream(), then.stream()).toList();
    }

    private void shell(String script) throws IOException, InterruptedException {
        start(List.of("/bin/sh", "-ec", script));
    }

    private void start(List<String> command) throws IOException, InterruptedException {
        int status = builder(command).start().waitFor();
        if (status != 0) {
            throw new IOException(
                    "%s ended with %d; %s says why".formatted(command.get(0), status, directory.resolve("output")));
        }
    }

    private ProcessBuilder builder(List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.to(directory.resolve("output").toFile()));
        builder.environment().put("HOME", directory.toString());
        return builder;
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
