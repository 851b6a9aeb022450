// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A reader of strace's output as it comes, which reports the calls to a sink. Lines that it cannot parse are reported
 * as unseen. Memory: one line, and the beginning of a call for each thread. Confined to one thread.
 */
final class StraceReader implements LogReader {
    private static final int SINGLE_THREAD = 1;

    private record Begun(String text, long wallNanos, long monoNanos) {}

    private final LogLines lines;
    private final StraceClock clock;
    private final CallSink sink;
    private final Map<Integer, Begun> pending = new HashMap<>();
    private final StackFrames frames = new StackFrames();
    /** The last call, which frames may follow. */
    private Optional<SystemCall> held = Optional.empty();

    /** @param in read to its end; closed by the caller */
    StraceReader(InputStream in, StraceClock clock, CallSink sink) {
        this.lines = new LogLines(in);
        this.clock = clock;
        this.sink = sink;
    }

    @Override
    public boolean step() throws IOException {
        if (lines.ended()) {
            return false;
        }
        lines.read();
        // strace ends every line with a newline. Without one the log was cut, and a number at its end may have been
        // longer.
        if (!lines.fits() || (lines.ended() && !lines.isEmpty() && !endsLikeAnExit())) {
            giveHeld();
            sink.unseen(UnrecordedReason.TORN_LINE, 1, lines.sample());
        } else if (!lines.isEmpty()) {
            take(lines.text());
        }
        if (lines.ended()) {
            giveHeld();
            pending.forEach((thread, begun) -> sink.unseen(UnrecordedReason.UNFINISHED, 1, begun.text()));
            pending.clear();
        }
        return !lines.ended();
    }

    private boolean endsLikeAnExit() {
        return lines.text().endsWith("++");
    }

    @Override
    public long clockSteps() {
        return clock.steps();
    }

    private void giveHeld() {
        List<String> stack = frames.take();
        held.ifPresent(call -> sink.returned(call.from(stack)));
        held = Optional.empty();
    }

    private void take(String text) {
        if (StackFrames.isFrame(text)) {
            frames.add(text);
            return;
        }
        giveHeld();
        try {
            Optional<StraceLine> parsed = StraceLine.of(text);
            if (parsed.isEmpty() || !take(parsed.get())) {
                sink.unseen(UnrecordedReason.TORN_LINE, 1, text);
            }
        } catch (NumberFormatException | ArithmeticException e) {
            sink.unseen(UnrecordedReason.TORN_LINE, 1, text);
        }
    }

    /** Takes a line; returns false if it cannot be parsed. */
    private boolean take(StraceLine parsed) {
        int thread = parsed.thread() == 0 ? SINGLE_THREAD : parsed.thread();
        if (!parsed.body().startsWith("strace: ")) {
            clock.take(parsed.stamp());
        }
        if (parsed.isEnd()) {
            Begun begun = pending.remove(thread);
            if (begun != null && !begun.text().startsWith("exit")) {
                sink.unseen(UnrecordedReason.UNFINISHED, 1, begun.text());
            }
            sink.ended(thread, clock.wallNanos(), clock.monoNanos());
            return true;
        }
        if (parsed.replacedBy() > 0) {
            Begun begun = pending.remove(parsed.replacedBy());
            pending.remove(thread);
            if (begun != null) {
                pending.put(thread, begun);
            }
            sink.replaced(thread, parsed.replacedBy());
            return true;
        }
        if (parsed.isOther()) {
            return true;
        }
        return takeCall(parsed, thread);
    }

    private boolean takeCall(StraceLine parsed, int thread) {
        if (parsed.isUnfinished()) {
            String begun = parsed.begun();
            int open = begun.indexOf('(');
            if (open < 0 || !isName(begun, open)) {
                return false;
            }
            Begun before = pending.put(thread, new Begun(begun, clock.wallNanos(), clock.monoNanos()));
            if (before != null) {
                sink.unseen(UnrecordedReason.UNFINISHED, 1, before.text());
            }
            sink.began(thread, begun.substring(0, open), new Arguments(StraceText.splitUnfinished(begun, open + 1)));
            return true;
        }
        if (parsed.isResumed()) {
            Begun begun = pending.remove(thread);
            if (begun == null || !begun.text().startsWith(parsed.resumedName() + "(")) {
                return false;
            }
            return call(thread, begun.text() + parsed.resumedRest(), begun.wallNanos(), begun.monoNanos());
        }
        Begun begun = pending.remove(thread);
        if (begun != null) {
            // A thread makes one call at a time: the end of the last one was lost.
            sink.unseen(UnrecordedReason.UNFINISHED, 1, begun.text());
        }
        return call(thread, parsed.body(), clock.wallNanos(), clock.monoNanos());
    }

    private boolean call(int thread, String text, long wallNanos, long monoNanos) {
        int open = text.indexOf('(');
        if (open <= 0 || !isName(text, open)) {
            return false;
        }
        List<String> arguments = new ArrayList<>();
        int close = StraceText.split(text, open + 1, arguments);
        int equals = close < 0 ? -1 : text.indexOf("= ", close);
        if (equals < 0 || !text.substring(close + 1, equals).isBlank()) {
            return false;
        }
        String result = text.substring(equals + 2).strip();
        long duration = 0;
        if (result.endsWith(">") && result.contains(" <")) {
            int from = result.lastIndexOf(" <");
            String inside = result.substring(from + 2, result.length() - 1);
            if (StraceClock.isStamp(inside)) {
                duration = StraceClock.nanos(inside);
                result = result.substring(0, from);
            } else if (inside.equals("unavailable")) {
                result = result.substring(0, from);
            }
        }
        held = Optional.of(new SystemCall(
                thread,
                wallNanos,
                monoNanos,
                duration,
                text.substring(0, open),
                new Arguments(arguments),
                CallResult.of(result),
                List.of()));
        return true;
    }

    private static boolean isName(String text, int length) {
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (!(c >= 'a' && c <= 'z') && c != '_' && !(c >= '0' && c <= '9' && i > 0)) {
                return false;
            }
        }
        return true;
    }
}
