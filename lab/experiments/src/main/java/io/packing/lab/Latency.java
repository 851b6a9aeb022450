// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import io.packing.options.Parsers;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a latency from the command line: such as {@code 1ms}, or milliseconds without a unit. */
final class Latency implements ITypeConverter<Duration> {
    private static final double NANOS_OF_A_MILLISECOND = 1e6;

    @Override
    public Duration convert(String text) {
        try {
            return text.matches("[0-9.]{1,9}")
                    ? Duration.ofNanos(Math.round(Parsers.number(text).doubleValue() * NANOS_OF_A_MILLISECOND))
                    : Parsers.duration(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'%s': %s".formatted(text, e.getMessage()));
        }
    }
}
