// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.loop.BackOff;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One kind of background work, which may fail and is repeated: what is to be done stands in the table. The first failure
 * of each kind is logged with its stack, the others are counted and summed up. Stepped by one thread; asked by any.
 */
public final class UpkeepPart {
    private static final Logger LOG = LoggerFactory.getLogger(UpkeepPart.class);
    private static final BackOff BACK_OFF = new BackOff(100, 30_000);
    private static final Duration SUMMARY = Duration.ofMinutes(10);
    /** The most kinds of failures told apart, so that many kinds do not fill the log. */
    private static final int MOST_KINDS = 16;

    /** A bounded piece of it. */
    interface Work {
        /** Does a step; returns whether it had work to do. */
        boolean step() throws IOException;
    }

    /**
     * Work that fails since some time.
     *
     * @param what the work
     * @param why the last failure
     */
    public record Trouble(String what, Duration since, long failures, String why) {
        @Override
        public String toString() {
            return "%s has failed for %s, %d times: %s".formatted(what, text(since), failures, why);
        }

        private static String text(Duration time) {
            return time.toMinutes() > 0 ? time.toMinutes() + " min" : time.toSeconds() + " s";
        }
    }

    private final String mount;
    private final String name;
    private final Work work;
    private final Duration remembered;
    private final LongSupplier nanoClock;
    private final Set<String> kinds = new HashSet<>();
    private long failures;
    private long allFailures;
    private long failingSince;
    private long lastFailure;
    private long nextTry;
    private long nextSummary;
    private String why = "";
    private boolean working;
    private long workingSince;

    /** @param remembered for how long a failure counts although there has been nothing to do since */
    UpkeepPart(String mount, String name, Work work, Duration remembered, LongSupplier nanoClock) {
        this.remembered = remembered;
        this.mount = mount;
        this.name = name;
        this.work = work;
        this.nanoClock = nanoClock;
    }

    public String name() {
        return name;
    }

    /** Does a piece, unless it failed a moment ago; returns whether there was any. */
    boolean step() {
        long now = nanoClock.getAsLong();
        if (isPausing(now)) {
            return false;
        }
        working(true, now);
        try {
            boolean worked = work.step();
            if (worked || now - lastFailure >= remembered.toNanos()) {
                succeeded();
            }
            return worked;
        } catch (Throwable e) {
            failed(e, now);
            return false;
        } finally {
            working(false, now);
        }
    }

    private synchronized void working(boolean begins, long now) {
        working = begins;
        workingSince = now;
    }

    /** For how long the step that is under way takes already; empty: none is. */
    public synchronized Optional<Duration> underWay() {
        return working ? Optional.of(Duration.ofNanos(nanoClock.getAsLong() - workingSince)) : Optional.empty();
    }

    /** Returns the current trouble; empty when the last try succeeded. */
    public synchronized Optional<Trouble> trouble() {
        return failures == 0
                ? Optional.empty()
                : Optional.of(new Trouble(name, Duration.ofNanos(nanoClock.getAsLong() - failingSince), failures, why));
    }

    /** Failures since the start. */
    public synchronized long failures() {
        return allFailures;
    }

    private synchronized boolean isPausing(long now) {
        return failures > 0 && now - nextTry < 0;
    }

    private synchronized void succeeded() {
        if (failures > 0) {
            LOG.info("mount {}: {} works again, after {} failures", mount, name, failures);
            failures = 0;
            kinds.clear();
        }
    }

    private synchronized void failed(Throwable e, long now) {
        if (failures == 0) {
            failingSince = now;
            nextSummary = now + SUMMARY.toNanos();
        }
        lastFailure = now;
        failures++;
        allFailures++;
        why = e.toString();
        nextTry = now + TimeUnit.MILLISECONDS.toNanos(BACK_OFF.millis(failures));
        if (kinds.size() < MOST_KINDS && kinds.add(kind(e))) {
            LOG.warn("mount {}: {} failed and will be repeated", mount, name, e);
        } else if (now - nextSummary >= 0) {
            nextSummary = now + SUMMARY.toNanos();
            LOG.warn("mount {}: {}", mount, trouble().map(Trouble::toString).orElse(""));
        }
    }

    private static String kind(Throwable e) {
        StackTraceElement[] stack = e.getStackTrace();
        return e.getClass().getName() + (stack.length == 0 ? "" : stack[0]);
    }
}
