// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/**
 * Names of the snapshots that a master takes for the history of a directory (RFC 0031): {@code at-2026-11-30T20:07:13Z} is the directory as
 * it was when that second began. Names sort as their times do.
 */
public final class HistoryName {
    private static final String PREFIX = "at-";
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "'at-'uuuu-MM-dd'T'HH:mm:ss'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final int LENGTH = "at-2026-11-30T20:07:13Z".length();

    /** The latest time that has a name. */
    public static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private HistoryName() {}

    /** Returns the name of a time; parts of a second are left out. */
    public static String of(Instant time) {
        if (time.isBefore(Instant.EPOCH) || time.truncatedTo(ChronoUnit.SECONDS).isAfter(LATEST)) {
            throw new IllegalArgumentException("expected a time between 1970 and 9999, not " + time);
        }
        return FORMAT.format(time);
    }

    /** Returns the time in a name; empty: the name is not one of a history. */
    public static Optional<Instant> time(String name) {
        if (name.length() != LENGTH || !name.startsWith(PREFIX)) {
            return Optional.empty();
        }
        try {
            Instant time = Instant.parse(name.substring(PREFIX.length()));
            return Optional.of(time).filter(each -> !each.isBefore(Instant.EPOCH) && of(each).equals(name));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Returns whether a name has the form of a history's. It is quick, for each row of the past asks. */
    public static boolean isOne(String name) {
        return name.length() == LENGTH && name.startsWith(PREFIX) && time(name).isPresent();
    }
}
