// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import com.google.common.net.HostAndPort;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The address at which a server listens, from the command line. */
final class BindAddress implements ITypeConverter<String> {
    /** Lets an address pass, or several with commas between them. */
    @Override
    public String convert(String text) {
        try {
            for (String each : text.split(",", -1)) {
                HostAndPort unused = check(each);
            }
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
        return text;
    }

    /** @throws IllegalArgumentException when what {@code --bind} says is not HOST:PORT */
    static HostAndPort parse(String text) {
        try {
            return check(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--bind: " + e.getMessage(), e);
        }
    }

    /** @throws IllegalArgumentException when it is not HOST:PORT */
    static HostAndPort check(String text) {
        try {
            HostAndPort address = HostAndPort.fromString(text);
            if (address.hasPort() && !address.getHost().isEmpty()) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // As one without a port.
        }
        throw new IllegalArgumentException("'%s' is not HOST:PORT".formatted(text));
    }
}
