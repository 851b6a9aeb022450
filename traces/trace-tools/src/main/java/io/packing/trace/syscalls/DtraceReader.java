// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A reader of the output of dtruss, DTrace's tracer of a Mac, with or without {@code -f}, {@code -e}, {@code -d},
 * {@code -o}, {@code -a} and {@code -s}. Such a log has no times except the durations of {@code -e}: the calls follow
 * each other in the order of its lines. Darwin's calls become equal calls of Linux ({@link DarwinCalls}). Other lines
 * are reported as unseen. Confined to one thread.
 */
final class DtraceReader implements LogReader {
    /** A line of a call: optional process and thread, optional numbers, the call, its result and the error's number. */
    private static final Pattern CALL = Pattern.compile(
            "\\s*(?:(\\d{1,9})/(0x[0-9a-f]{1,15}|\\d{1,15}):\\s+)?((?:\\d+:?\\s+)*)([a-z_][a-z0-9_]*)\\((.*)\\)\\s+= "
                    + "(-?(?:0x[0-9A-Fa-f]+|\\d+)) (?:Err#)?(\\d+)\\s*");

    private static final String ELAPSED = "ELAPSD";
    private static final Pattern COUNTS = Pattern.compile("(CALL\\s+COUNT|[A-Za-z_][A-Za-z0-9_]*\\s+\\d+)\\s*");
    /** The distance between lines of a log without durations, which keeps their order. */
    private static final long STEP_NANOS = 1_000;

    private static final long NANOS_PER_MICRO = 1_000;
    private static final int ONLY_PROCESS = 1;

    private final LogLines lines;
    private final CallSink sink;
    private final StackFrames frames = new StackFrames();
    private final Map<Integer, String> leaders = new HashMap<>();
    private final Map<String, Integer> threads = new HashMap<>();
    /** The columns of numbers before a call. */
    private List<String> columns = List.of();

    private Optional<SystemCall> held = Optional.empty();
    private long wallNanos;
    private long monoNanos;

    /**
     * @param in read to its end; closed by the caller
     * @param startNanos time of the log's begin, nanoseconds since 1970
     */
    DtraceReader(InputStream in, long startNanos, CallSink sink) {
        this.lines = new LogLines(in);
        this.wallNanos = startNanos;
        this.sink = sink;
    }

    @Override
    public boolean step() throws IOException {
        if (lines.ended()) {
            return false;
        }
        lines.read();
        if (!lines.fits()) {
            giveHeld();
            sink.unseen(UnrecordedReason.TORN_LINE, 1, lines.sample());
        } else {
            take(lines.text());
        }
        if (lines.ended()) {
            giveHeld();
        }
        return !lines.ended();
    }

    /** Returns 0, since the lines have no times of day. */
    @Override
    public long clockSteps() {
        return 0;
    }

    private void take(String text) {
        if (text.isBlank() || frames.addDtrace(text)) {
            return;
        }
        giveHeld();
        if (text.contains("SYSCALL(args)")) {
            columns = new ArrayList<>(List.of(text.strip().split("\\s+", -1)));
            columns.removeIf(
                    column -> column.startsWith("PID/") || column.startsWith("SYSCALL") || column.length() < 3);
            columns.remove("return");
        } else if (!call(text) && !COUNTS.matcher(text).matches() && !text.startsWith("dtrace: ")) {
            sink.unseen(UnrecordedReason.TORN_LINE, 1, text);
        }
    }

    private void giveHeld() {
        List<String> stack = frames.take();
        held.ifPresent(call -> sink.returned(call.from(stack)));
        held = Optional.empty();
    }

    private boolean call(String text) {
        Matcher matcher = CALL.matcher(text);
        if (!matcher.matches()) {
            return false;
        }
        List<String> arguments = new ArrayList<>();
        if (StraceText.split(matcher.group(5) + ")", 0, arguments)
                != matcher.group(5).length()) {
            return false;
        }
        try {
            int thread = thread(matcher.group(1), matcher.group(2));
            long duration = duration(matcher.group(3));
            CallResult result = result(matcher.group(6), Integer.parseInt(matcher.group(7)));
            DarwinCalls.Translated call = DarwinCalls.translate(matcher.group(4), arguments);
            if (call.name().endsWith("fork") && result.succeeded() && leaders.containsKey((int) result.value())) {
                // The child has made calls already and has a table of its own: it stays a process without a parent.
                result = CallResult.UNKNOWN;
            }
            if (!call.isOther()) {
                held = Optional.of(new SystemCall(
                        thread,
                        wallNanos,
                        monoNanos,
                        duration,
                        call.name(),
                        new Arguments(call.arguments()),
                        result,
                        List.of()));
            }
            wallNanos += STEP_NANOS + duration;
            monoNanos += STEP_NANOS + duration;
            return true;
        } catch (NumberFormatException | ArithmeticException e) {
            return false;
        }
    }

    /** Returns the number of a thread: the process's for its first thread, a new one for others. */
    private int thread(String process, String name) {
        if (process == null) {
            return ONLY_PROCESS;
        }
        int pid = Integer.parseInt(process);
        String leader = leaders.computeIfAbsent(pid, key -> name);
        if (leader.equals(name)) {
            return pid;
        }
        Integer known = threads.get(process + "/" + name);
        if (known != null) {
            return known;
        }
        // Numbers of threads begin above all process ids.
        int thread = Integer.MAX_VALUE - threads.size();
        threads.put(process + "/" + name, thread);
        sink.joined(thread, pid);
        return thread;
    }

    private long duration(String numbers) {
        int at = columns.indexOf(ELAPSED);
        String[] all = numbers.strip().split("[:\\s]+", -1);
        return at < 0 || at >= all.length ? 0 : Math.multiplyExact(Long.parseLong(all[at]), NANOS_PER_MICRO);
    }

    /** Parses a result. A value that no call on files returns, such as the upper half of an address, is unknown. */
    private static CallResult result(String value, int error) {
        if (error != 0) {
            return new CallResult(true, -1, DescriptorName.UNKNOWN, DarwinCalls.error(error));
        }
        long number = StraceNumbers.parse(value);
        return number < 0 ? CallResult.UNKNOWN : new CallResult(true, number, DescriptorName.UNKNOWN, "");
    }
}
