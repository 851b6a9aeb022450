package io.packing.blob;

import java.time.Duration;
import java.util.Optional;

/**
 * When a blob that is not full is sealed, so that it is worth its PUT at any rate. Files that are waited for are free; a file
 * that comes after its blob is sealed costs a PUT. Three reasons to seal:
 *
 * <ul>
 *   <li>{@link Cause#AGE}: the first file is as old as was promised.
 *   <li>{@link Cause#QUIET}: nothing came for a while, so nothing more is expected. The while adapts, as timeouts of disks that
 *       spin down do (Douglis, Krishnan and Bershad, 1995): when a file came after all that could have waited with the others,
 *       it doubles; when waiting was in vain, it is halved. It is between what the mount asks for and the promised age.
 *   <li>{@link Cause#BUDGET}: the money that may be spent on PUTs allows one.
 * </ul>
 *
 * Times are nanoseconds from any one origin. Not thread-safe.
 */
public final class SealRule {
    /** The least time without a file after which no other is expected, unless a mount says otherwise. */
    public static final Duration QUIET = Duration.ofSeconds(5);

    /** The least age at which a budget seals: files that come together stay together. */
    public static final Duration LEAST_BUDGET_AGE = Duration.ofSeconds(1);

    /** What rounding may take from a PUT that is saved up. */
    private static final double ROUNDING = 1e-6;

    private static final double NANOS_PER_DAY = Duration.ofDays(1).toNanos();

    private final long afterNanos;
    /** 0: nothing is sealed because nothing came. */
    private final long leastQuietNanos;

    private final double putsPerDay;
    /** PUTs that are saved at most, and that are owed at most. */
    private final double most;

    private long quietNanos;
    private double allowance;
    private long allowanceAt;
    /** Until when files could have waited with those of the last blob, if that was sealed since nothing came. */
    private Optional<Long> couldWaitUntil = Optional.empty();

    /** Why a blob is sealed that is not full. */
    public enum Cause {
        AGE,
        QUIET,
        BUDGET
    }

    /**
     * What a mount asks for.
     *
     * @param after the longest that a file waits
     * @param quiet the least time without a file after which no other is waited for; 0: files wait until another reason comes
     * @param putsPerDay that may be spent on blobs that could wait; 0: none
     */
    public record Terms(Duration after, Duration quiet, double putsPerDay) {
        /** By age alone. */
        public static Terms age(Duration after) {
            return new Terms(after, Duration.ZERO, 0);
        }
    }

    /** @param now the time */
    public SealRule(Terms terms, long now) {
        this.afterNanos = terms.after().toNanos();
        this.leastQuietNanos = terms.quiet().toNanos();
        this.quietNanos = leastQuietNanos;
        this.putsPerDay = terms.putsPerDay();
        this.most = Math.max(1, this.putsPerDay / Duration.ofDays(1).toHours());
        this.allowance = this.putsPerDay > 0 ? 1 : 0;
        this.allowanceAt = now;
    }

    /** A blob has its first file. */
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
     * Why a blob should be sealed now.
     *
     * @param first when its first file came
     * @param last when its last file came
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

    /** Returns the earliest time at which a blob can be due, if nothing more comes. */
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
     * A blob is sealed.
     *
     * @param cause empty: it is full, or somebody asked for it
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

    /** PUTs that may be spent now. */
    private double allowance(long now) {
        return Math.min(most, allowance + (now - allowanceAt) / NANOS_PER_DAY * putsPerDay);
    }
}
