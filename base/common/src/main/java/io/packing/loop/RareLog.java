// SPDX-License-Identifier: Apache-2.0
package io.packing.loop;

/**
 * A count of failures in a row that tells a log of the first one, and then ever fewer with their number: an attempt that is repeated for
 * hours must not fill the log. Confined to one thread.
 */
public final class RareLog {
    private final String name;
    private final LoopLog log;
    private long failures;

    public RareLog(String name, LoopLog log) {
        this.name = name;
        this.log = log;
    }

    /** Returns whether the log learns of this number of failures in a row: it learns of each power of two. */
    public static boolean tells(long failures) {
        return Long.bitCount(failures) == 1;
    }

    /** Counts a failure; returns how many there were in a row. */
    public long failed(Exception e) {
        failures++;
        if (failures == 1) {
            log.failed(name, e);
        } else if (tells(failures)) {
            log.failedAgain(name, failures, e);
        }
        return failures;
    }

    /** Ends the failures. */
    public void worked() {
        if (failures > 1) {
            log.works(name, failures);
        }
        failures = 0;
    }
}
