// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.time.Duration;
import java.util.Optional;

/**
 * The rule that decides when to seal a blob that is not full, so that the blob is worth its PUT at any rate of files.
 * While a blob waits, further files cost no PUT; a file that comes after the seal costs one. Three reasons to seal:
 *
 * <ul>
 * <li>{@link Cause#AGE}: the first file has the promised age.
 * <li>{@link Cause#QUIET}: no file has come for a while, so the rule expects none. The while adapts like the timeouts
 * of disks that spin down (Douglis, Krishnan and Bershad, 1995). It doubles when a file comes that could have waited
 * with the others; it halves when the wait was in vain. It lies between the mount's quiet time and the promised age.
 * <li>{@link Cause#BUDGET}: the budget for PUTs allows one.
 * </ul>
 *
 * Times are nanoseconds from any one origin. Not thread-safe.
 */
public final class SealPolicy {
    /** The default of the least time without a file after which the rule expects no other. */
    public static final Duration QUIET = Duration.ofSeconds(5);

    /** The least age at which a budget seals, so that files that come together stay together. */
    public static final Duration LEAST_BUDGET_AGE = Duration.ofSeconds(1);

    /** The part of a saved PUT that rounding may take. */
    private static final double ROUNDING = 1e-6;

    private static final double NANOS_PER_DAY = Duration.ofDays(1).toNanos();

    private final long afterNanos;
    /** The least quiet time; 0 when quiet never seals. */
    private final long leastQuietNanos;

    private final double putsPerDay;
    /** The most PUTs to save, and the most to owe. */
    private final double most;

    private long quietNanos;
    private double allowance;
    private long allowanceAt;
    /** The end of the possible wait of the last blob, if quiet sealed it and no file has come since. */
    private Optional<Long> couldWaitUntil = Optional.empty();

    /** The reason to seal a blob that is not full. */
    public enum Cause {
        AGE,
        QUIET,
        BUDGET
    }

    /**
     * The terms of a mount.
     *
     * @param after the longest wait of a file
     * @param quiet the least time without a file after which the rule expects no other; 0: files wait until another
     *     reason comes
     * @param putsPerDay the budget for blobs that could wait; 0: none
     */
    public record SealOptions(Duration after, Duration quiet, double putsPerDay) {
        /** Returns terms by which only age seals. */
        public static SealOptions age(Duration after) {
            return new SealOptions(after, Duration.ZERO, 0);
        }
    }

    /**
     * Creates a rule.
     *
     * @param now the time
     */
    public SealPolicy(SealOptions terms, long now) {
        this.afterNanos = terms.after().toNanos();
        this.leastQuietNanos = terms.quiet().toNanos();
        this.quietNanos = leastQuietNanos;
        this.putsPerDay = terms.putsPerDay();
        this.most = Math.max(1, this.putsPerDay / Duration.ofDays(1).toHours());
        this.allowance = this.putsPerDay > 0 ? 1 : 0;
        this.allowanceAt = now;
    }

    /** Notes that a blob has received its first file. */
    public void opened(long now) {
        if (couldWaitUntil.isPresent()) {
            if (now - couldWaitUntil.get() < 0) {
                quietNanos = Math.min(2 * quietNanos, afterNanos);
            } else {
                waitedInVain();
            }
            couldWaitUntil = Optional.empty();
        }
    }

    /**
     * Returns the reason to seal a blob now; empty when it should wait.
     *
     * @param first the time of its first file
     * @param last the time of its last file
     */
    public Optional<Cause> due(long first, long last, long now) {
        if (now - first >= afterNanos) {
            return Optional.of(Cause.AGE);
        } else if (sealsWhenQuiet() && now - last >= quietNanos) {
            return Optional.of(Cause.QUIET);
        } else if (putsPerDay > 0 && now - first >= LEAST_BUDGET_AGE.toNanos() && allowance(now) >= 1 - ROUNDING) {
            return Optional.of(Cause.BUDGET);
        }
        return Optional.empty();
    }

    /** Returns the earliest time at which a blob can be due, if no more files come. */
    public long next(long first, long last, long now) {
        long next = first + afterNanos;
        if (sealsWhenQuiet()) {
            next = earlier(next, last + quietNanos);
        }
        if (putsPerDay > 0) {
            double missing = Math.max(0, 1 - allowance(now));
            long afforded = now + (long) Math.ceil(missing / putsPerDay * NANOS_PER_DAY);
            long least = first + LEAST_BUDGET_AGE.toNanos();
            next = earlier(next, afforded - least > 0 ? afforded : least);
        }
        return next;
    }

    private boolean sealsWhenQuiet() {
        return leastQuietNanos > 0 && quietNanos < afterNanos;
    }

    private static long earlier(long one, long other) {
        return one - other < 0 ? one : other;
    }

    /**
     * Notes that a blob was sealed.
     *
     * @param cause empty when it is full, or a client asked for the seal
     */
    public void sealed(Optional<Cause> cause, long first, long last, long now) {
        allowance = Math.max(-most, allowance(now) - 1);
        allowanceAt = now;
        if (cause.equals(Optional.of(Cause.QUIET))) {
            couldWaitUntil = Optional.of(first + afterNanos);
        } else if (cause.equals(Optional.of(Cause.AGE)) && now - last >= (now - first) / 2) {
            waitedInVain();
        }
    }

    private void waitedInVain() {
        quietNanos = Math.max(quietNanos / 2, leastQuietNanos);
    }

    /** Returns the number of PUTs that the budget allows now. */
    private double allowance(long now) {
        return Math.min(most, allowance + (now - allowanceAt) / NANOS_PER_DAY * putsPerDay);
    }
}
