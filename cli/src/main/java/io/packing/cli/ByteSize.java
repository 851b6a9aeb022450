// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.options.Parsers;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a size such as {@code 8KB} from the command line, in bytes. */
public final class ByteSize implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            long bytes = Parsers.bytes(text);
            if (bytes == 0) {
                throw new TypeConversionException("'%s': expected a size above 0".formatted(text));
            }
            return bytes;
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'%s': %s".formatted(text, e.getMessage()));
        }
    }

    /** Checks a size that must fit in memory. */
    public static int between(String option, long bytes, int least, int most) {
        if (bytes < least || bytes > most) {
            throw new IllegalArgumentException("%s: %d bytes; from %d to %d".formatted(option, bytes, least, most));
        }
        return (int) bytes;
    }
}
