// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.protocol;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** The forms of times in headers and documents. */
public final class HttpDate {
    private static final DateTimeFormatter HEADER =
            DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT);
    private static final DateTimeFormatter DOCUMENT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT);

    private HttpDate() {}

    public static String header(long millis) {
        return HEADER.format(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
    }

    public static String document(long millis) {
        return DOCUMENT.format(Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC));
    }

    /** Reads a header; empty when it is no time: such a condition does not count. */
    public static Optional<Instant> parse(String text) {
        try {
            return Optional.of(ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant()
                    .truncatedTo(ChronoUnit.SECONDS));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
