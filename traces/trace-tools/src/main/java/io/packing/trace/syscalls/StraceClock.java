// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

/**
 * The times of strace's lines: since 1970 ({@code -ttt}), of the day ({@code -t}, {@code -tt}), since the line before
 * ({@code -r}), or none. It counts steps back, and the monotonic time stands still instead. Confined to one thread.
 */
final class StraceClock {
    private static final long SECOND = 1_000_000_000L;
    private static final long DAY = 86_400 * SECOND;
    private static final long HALF_A_DAY = DAY / 2;
    /** The least seconds that are a time since 1970 in any trace. */
    private static final long FIRST_ABSOLUTE_SECOND = 100_000_000;
    /** The distance between lines without times, which keeps their order. */
    private static final long UNTIMED_STEP = 1_000;

    private final long startNanos;
    private long day;
    private long wallNanos;
    private long monoNanos;
    private boolean begun;
    private long steps;

    /** @param startNanos time of the first line, for times without a day */
    StraceClock(long startNanos) {
        this.startNanos = startNanos;
        this.day = Math.floorDiv(startNanos, DAY) * DAY;
        this.wallNanos = startNanos;
    }

    static boolean isStamp(String text) {
        if (text.isEmpty()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (!Character.isDigit(c) && c != '.' && c != ':') {
                return false;
            }
        }
        return true;
    }

    /** Counts the steps back of the wall clock. */
    long steps() {
        return steps;
    }

    /** Returns the wall-clock time of the last line, nanoseconds since 1970. */
    long wallNanos() {
        return wallNanos;
    }

    /** Returns the monotonic time of the last line, without steps. */
    long monoNanos() {
        return monoNanos;
    }

    /**
     * Advances to a line.
     *
     * @throws NumberFormatException if its time is malformed
     */
    void take(String stamp) {
        if (stamp.isEmpty()) {
            wallNanos += UNTIMED_STEP;
            monoNanos += UNTIMED_STEP;
            return;
        }
        if (stamp.indexOf(':') >= 0) {
            goTo(ofDay(stamp));
            return;
        }
        long nanos = nanos(stamp);
        if (nanos < FIRST_ABSOLUTE_SECOND * SECOND) {
            wallNanos += nanos;
            monoNanos += nanos;
        } else {
            goTo(nanos);
        }
    }

    private long ofDay(String stamp) {
        String[] parts = stamp.split(":", -1);
        if (parts.length != 3) {
            throw new NumberFormatException("not a time of day: " + stamp);
        }
        long time = day + (Long.parseLong(parts[0]) * 60 + Long.parseLong(parts[1])) * 60 * SECOND + nanos(parts[2]);
        if (begun && wallNanos - time > HALF_A_DAY) {
            // The clock passed midnight.
            day += DAY;
            time += DAY;
        }
        return time;
    }

    private void goTo(long time) {
        if (!begun) {
            monoNanos = Math.max(0, time - startNanos);
            begun = true;
        } else if (time < wallNanos) {
            steps++;
        } else {
            monoNanos += time - wallNanos;
        }
        wallNanos = time;
    }

    /** Parses seconds, with or without a fraction, to nanoseconds. */
    static long nanos(String seconds) {
        int point = seconds.indexOf('.');
        if (point < 0) {
            return Math.multiplyExact(Long.parseLong(seconds), SECOND);
        }
        String fraction = (seconds.substring(point + 1) + "000000000").substring(0, 9);
        return Math.addExact(
                Math.multiplyExact(Long.parseLong(seconds.substring(0, point)), SECOND), Long.parseLong(fraction));
    }
}
