// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.options.Parsers;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an offset such as {@code 0} or {@code 4KB} from the command line, in bytes. */
public final class ByteOffset implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
        try {
            return Parsers.bytes(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException("'%s': %s".formatted(text, e.getMessage()));
        }
    }
}
