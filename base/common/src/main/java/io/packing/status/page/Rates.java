// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import java.util.HashMap;
import java.util.Map;

/**
 * The speed at which workers push, computed from two reports. A worker that the earlier report lacks has rate zero, and
 * so has one whose counts went down: it restarted.
 */
final class Rates {
    /** The rates of a daemon before its second report. */
    static final Rates NONE = new Rates(0);

    /** A worker's files and bytes per second. */
    record Rate(double files, double bytes) {
        static final Rate NONE = new Rate(0, 0);

        Rate plus(Rate other) {
            return new Rate(files + other.files, bytes + other.bytes);
        }
    }

    private final Map<String, DaemonReport.WorkerRow> before = new HashMap<>();
    private final long beforeNanos;

    private Rates(long nanos) {
        this.beforeNanos = nanos;
    }

    /** Returns an object that computes rates since a report. */
    static Rates since(DaemonReport report, long nanos) {
        Rates rates = new Rates(nanos);
        report.workers().forEach(row -> rates.before.put(row.key(), row));
        return rates;
    }

    /** Returns a worker's rate between the earlier report and this time. */
    Rate of(DaemonReport.WorkerRow now, long nanos) {
        DaemonReport.WorkerRow then = before.get(now.key());
        double seconds = (nanos - beforeNanos) / 1e9;
        if (then == null || seconds <= 0) {
            return Rate.NONE;
        }
        return new Rate(
                rate(then.pushedFiles(), now.pushedFiles(), seconds),
                rate(then.pushedBytes(), now.pushedBytes(), seconds));
    }

    /** Returns the rates of all workers of a report, by their keys. */
    Map<String, Rate> each(DaemonReport report, long nanos) {
        Map<String, Rate> rates = new HashMap<>();
        report.workers().forEach(row -> rates.put(row.key(), of(row, nanos)));
        return rates;
    }

    /** Returns the total rate of all workers of a report. */
    Rate all(DaemonReport report, long nanos) {
        Rate sum = Rate.NONE;
        for (DaemonReport.WorkerRow row : report.workers()) {
            sum = sum.plus(of(row, nanos));
        }
        return sum;
    }

    private static double rate(long then, long now, double seconds) {
        return now > then ? (now - then) / seconds : 0;
    }
}
