// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * Keeps what libraries write of their messages on the wire out of the log, whatever level they are given: below INFO they write
 * headers, and these carry passwords, tokens and signatures. Thread-safe.
 */
public final class WireSilence extends TurboFilter {
    private static final List<String> LIBRARIES = List.of(
            "com.azure.",
            "com.google.api.",
            "com.google.auth.",
            "com.microsoft.aad.",
            "io.grpc.",
            "io.netty.",
            "org.apache.hc.",
            "org.apache.http.",
            "org.eclipse.jetty.",
            "jdk.httpclient.",
            "software.amazon.awssdk.");

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        // The first is the answer nearly always, and cheap.
        if (level.toInt() < logger.getEffectiveLevel().toInt() || level.isGreaterOrEqual(Level.INFO)) {
            return FilterReply.NEUTRAL;
        }
        return LIBRARIES.stream().anyMatch(logger.getName()::startsWith) ? FilterReply.DENY : FilterReply.NEUTRAL;
    }
}
