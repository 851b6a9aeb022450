// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.options.Parsers;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A time of which a user wants the state: ISO 8601 with an offset, or how long ago it is.
 *
 * @param text as the user wrote it
 */
record PastTime(String text) {
    private static final String AGO = " ago";

    /** Reads one, and refuses what is none. */
    static final class Converter implements ITypeConverter<PastTime> {
        @Override
        public PastTime convert(String text) {
            PastTime time = new PastTime(text.strip());
            try {
                Instant unused = time.before(Instant.EPOCH);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
            return time;
        }
    }

    /** Returns the time as seen at another one. */
    Instant before(Instant now) {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeException e) {
            String span = text.endsWith(AGO) ? text.substring(0, text.length() - AGO.length()) : text;
            try {
                return now.truncatedTo(ChronoUnit.SECONDS).minus(Parsers.duration(span.strip()));
            } catch (IllegalArgumentException | ArithmeticException | DateTimeException unused) {
                throw new IllegalArgumentException(
                        "'%.80s' is no time: expected one like 2026-11-30T20:07:13Z, 2026-11-30T21:07:13+01:00, or '10m ago'"
                                .formatted(text));
            }
        }
    }
}
