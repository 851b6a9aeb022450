package io.packing.cli;

import com.google.common.net.HostAndPort;

/** Where a server listens, as the command line says it. */
final class BindAddress {
    private BindAddress() {}

    /** @throws IllegalArgumentException when it is not HOST:PORT */
    static HostAndPort parse(String text) {
        try {
            HostAndPort address = HostAndPort.fromString(text);
            if (address.hasPort() && !address.getHost().isEmpty()) {
                return address;
            }
        } catch (IllegalArgumentException e) {
            // As one without a port.
        }
        throw new IllegalArgumentException("--bind: '%s' is not HOST:PORT".formatted(text));
    }
}
