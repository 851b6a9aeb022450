// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.login;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** The addresses that have their first bits in common, as {@code 10.0.0.0/8} names them. */
record AddressRange(InetAddress first, int bits) {
    AddressRange {
        if (bits < 0 || bits > first.getAddress().length * Byte.SIZE) {
            throw new IllegalArgumentException("%s has not %d bits".formatted(first.getHostAddress(), bits));
        }
    }

    static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        String address = text.substring(0, slash);
        // Not a name, which would be asked for.
        if (!address.matches("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*")) {
            throw new IllegalArgumentException("want ADDRESS/BITS, not '%s'".formatted(text));
        }
        try {
            return new AddressRange(InetAddress.getByName(address), Integer.parseInt(text.substring(slash + 1)));
        } catch (UnknownHostException | NumberFormatException e) {
            throw new IllegalArgumentException("want ADDRESS/BITS, not '%s'".formatted(text), e);
        }
    }

    boolean contains(InetAddress other) {
        byte[] own = first.getAddress();
        byte[] its = other.getAddress();
        if (own.length != its.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % Byte.SIZE;
            if ((own[bit / Byte.SIZE] & mask) != (its[bit / Byte.SIZE] & mask)) {
                return false;
            }
        }
        return true;
    }
}
