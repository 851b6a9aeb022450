// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import com.google.common.net.HostAndPort;

/** Checks of addresses of masters. */
final class MasterAddresses {
    private MasterAddresses() {}

    /** Refuses a text that is no address. */
    static void check(String address) {
        if (!isAddress(address)) {
            throw new IllegalArgumentException(
                    "bad master address '%s', want host:port, or several with commas between them".formatted(address));
        }
    }

    /** Returns whether a text is an address: a host and a port. */
    static boolean isAddress(String address) {
        try {
            HostAndPort parsed = HostAndPort.fromString(address);
            return parsed.hasPort() && !parsed.getHost().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
