// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.options.Parsers;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a duration such as {@code 500ms} from the command line. */
public final class TimeSpan implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        try {
            return Parsers.duration(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'%s': %s".formatted(text, e.getMessage()));
        }
    }
}
