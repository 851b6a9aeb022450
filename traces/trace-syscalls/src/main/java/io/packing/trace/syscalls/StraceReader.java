package io.packing.trace.syscalls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads strace's output as it comes, and tells a sink of the calls. What cannot be understood is told as unseen; the
 * rest goes on. Memory: one line, and the beginning of a call for each thread. Confined to one thread.
 */
final class StraceReader {
    /** A longer line is no line of strace. */
    private static final int LONGEST_LINE = 1 << 20;

    private static final int SINGLE_THREAD = 1;

    private record Begun(String text, long wallNanos, long monoNanos) {}

    private final InputStream in;
    private final StraceClock clock;
    private final CallSink sink;
    private final Map<Integer, Begun> pending = new HashMap<>();
    private final StackFrames frames = new StackFrames();
    /** The call that was read last: frames may follow it. */
    private Optional<SystemCall> held = Optional.empty();

    private byte[] line = new byte[1 << 12];
    private int length;
    private final byte[] buffer = new byte[1 << 16];
    private int at;
    private int end;
    private boolean ended;

    /** @param in read to its end; closed by the caller */
    StraceReader(InputStream in, StraceClock clock, CallSink sink) {
        this.in = in;
        this.clock = clock;
        this.sink = sink;
    }

    /** Takes one line; false at the end. */
    boolean step() throws IOException {
        if (ended) {
            return false;
        }
        boolean fits = readLine();
        // strace ends every line; the last one of a log that was cut may be a number that was longer.
        if (!fits || (ended && length > 0 && !endsLikeAnExit())) {
            giveHeld();
            sink.unseen(Unseen.TORN_LINE, 1, new String(line, 0, Math.min(length, 80), StandardCharsets.ISO_8859_1));
        } else if (length > 0) {
            take(new String(line, 0, length, StandardCharsets.ISO_8859_1));
        }
        if (ended) {
            giveHeld();
            pending.forEach((thread, begun) -> sink.unseen(Unseen.UNFINISHED, 1, begun.text()));
            pending.clear();
        }
        return !ended;
    }

    private boolean endsLikeAnExit() {
        return length > 3 && line[length - 1] == '+' && line[length - 2] == '+';
    }

    /** Reads up to the next newline or the end; false when the line is too long to be one. */
    private boolean readLine() throws IOException {
        length = 0;
        boolean fits = true;
        while (true) {
            if (at == end) {
                end = in.read(buffer);
                at = 0;
                if (end < 0) {
                    end = 0;
                    ended = true;
                    return fits;
                }
            }
            int from = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            int more = at - from;
            if (length + more > LONGEST_LINE) {
                fits = false;
            } else {
                if (length + more > line.length) {
                    line = Arrays.copyOf(line, Math.max(2 * line.length, length + more));
                }
                System.arraycopy(buffer, from, line, length, more);
                length += more;
            }
            if (at < end) {
                at++;
                return fits;
            }
        }
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
                sink.unseen(Unseen.TORN_LINE, 1, text);
            }
        } catch (NumberFormatException | ArithmeticException e) {
            sink.unseen(Unseen.TORN_LINE, 1, text);
        }
    }

    /** Takes a line; false when nobody understands it. */
    private boolean take(StraceLine parsed) {
        int thread = parsed.thread() == 0 ? SINGLE_THREAD : parsed.thread();
        if (!parsed.body().startsWith("strace: ")) {
            clock.take(parsed.stamp());
        }
        if (parsed.isEnd()) {
            Begun begun = pending.remove(thread);
            if (begun != null && !begun.text().startsWith("exit")) {
                sink.unseen(Unseen.UNFINISHED, 1, begun.text());
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
                sink.unseen(Unseen.UNFINISHED, 1, before.text());
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
            // A thread makes one call at a time: the end of the one before was lost.
            sink.unseen(Unseen.UNFINISHED, 1, begun.text());
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
