// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.Optional;

/**
 * A line of strace's output, split into its parts.
 *
 * @param thread the caller; 0 if the line does not name it, as with a single process
 * @param stamp its time as printed, or empty
 * @param body the rest
 */
record StraceLine(int thread, String stamp, String body) {
    /** The largest process id of Linux. */
    private static final long LARGEST_PID = 1 << 22;

    private static final String RESUMED = " resumed>";
    private static final String UNFINISHED = " <unfinished ...>";
    private static final String DETACHED = " <detached ...>";

    /** Splits a line; empty if it cannot be one of strace. */
    static Optional<StraceLine> of(String line) {
        int at = 0;
        int thread = 0;
        if (line.startsWith("[pid ")) {
            int end = line.indexOf(']');
            if (end < 0) {
                return Optional.empty();
            }
            thread = pid(line.substring(5, end).strip());
            if (thread < 0) {
                return Optional.empty();
            }
            at = end + 1;
        } else {
            String first = word(line, 0);
            int pid = pid(first);
            if (pid > 0) {
                thread = pid;
                at = first.length();
            }
        }
        at = skipSpaces(line, at);
        String stamp = "";
        if (at < line.length() && Character.isDigit(line.charAt(at))) {
            stamp = word(line, at);
            if (!StraceClock.isStamp(stamp)) {
                return Optional.empty();
            }
            at = skipSpaces(line, at + stamp.length());
        }
        return at == line.length() ? Optional.empty() : Optional.of(new StraceLine(thread, stamp, line.substring(at)));
    }

    /** Parses a thread's id, which {@code -Y} follows by its name; -1 if it is none. */
    private static int pid(String text) {
        int end = text.indexOf('<');
        String digits = end < 0 ? text : text.substring(0, end);
        if (digits.isEmpty() || digits.length() > 7 || !digits.chars().allMatch(Character::isDigit)) {
            return -1;
        }
        int pid = Integer.parseInt(digits);
        return pid > 0 && pid <= LARGEST_PID ? pid : -1;
    }

    private static String word(String line, int at) {
        int end = line.indexOf(' ', at);
        return end < 0 ? line.substring(at) : line.substring(at, end);
    }

    private static int skipSpaces(String line, int from) {
        int at = from;
        while (at < line.length() && line.charAt(at) == ' ') {
            at++;
        }
        return at;
    }

    boolean isEnd() {
        return body.startsWith("+++ exited with") || body.startsWith("+++ killed by");
    }

    /** Returns the thread that took over by execve; 0 for any other line. */
    int replacedBy() {
        String text = "+++ superseded by execve in pid ";
        return body.startsWith(text) ? (int) StraceNumbers.leading(body.substring(text.length()), 0) : 0;
    }

    /** Returns whether the line concerns no file: a signal, or a message of strace. */
    boolean isOther() {
        return body.startsWith("--- ") || body.startsWith("strace: ") || body.startsWith("+++ ");
    }

    boolean isUnfinished() {
        return body.endsWith(UNFINISHED) || body.endsWith(DETACHED);
    }

    /** Returns the beginning of a call that did not return yet. */
    String begun() {
        String end = body.endsWith(UNFINISHED) ? UNFINISHED : DETACHED;
        return body.substring(0, body.length() - end.length());
    }

    boolean isResumed() {
        return body.startsWith("<... ") && body.contains(RESUMED);
    }

    /** Returns the name of the call that a resumed line continues. */
    String resumedName() {
        return body.substring("<... ".length(), body.indexOf(RESUMED));
    }

    /** Returns the text behind the beginning of a resumed call. */
    String resumedRest() {
        return body.substring(body.indexOf(RESUMED) + RESUMED.length());
    }
}
