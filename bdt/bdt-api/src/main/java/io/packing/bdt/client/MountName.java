// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import com.google.common.net.HostAndPort;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The authority of a mount's URI, {@code packing://[MOUNT@]HOST[:PORT][,HOST[:PORT]...]/PATH}: which masters, and which of their
 * mounts.
 *
 * @param mount name or id; empty: the only mount of the masters
 * @param masters their addresses, with commas between them
 */
public record MountName(String mount, String masters) {
    /** The port of a BDT master that does not choose another one. */
    public static final int PORT = 19_990;

    /** The scheme of the URIs of mounts. */
    public static final String SCHEME = "packing";

    private static final String STORE = "packing.store";

    public MountName {
        for (String each : masters.split(",", -1)) {
            MasterAddresses.check(each);
        }
    }

    /**
     * Reads the authority of a URI.
     *
     * @throws IllegalArgumentException when it names no master
     */
    public static MountName parse(String authority) {
        int at = authority.lastIndexOf('@');
        String masters = Arrays.stream(authority.substring(at + 1).split(",", -1))
                .map(MountName::withPort)
                .collect(Collectors.joining(","));
        return new MountName(at < 0 ? "" : authority.substring(0, at), masters);
    }

    private static String withPort(String host) {
        try {
            return host.isEmpty()
                    ? host
                    : HostAndPort.fromString(host).withDefaultPort(PORT).toString();
        } catch (IllegalArgumentException e) {
            // The check of addresses says what is wrong.
            return host;
        }
    }

    /**
     * Returns a mount's options with those that lead to its store; asks the master where they do not say so.
     *
     * @throws IllegalArgumentException when both the URI and the options name a mount
     */
    public Map<String, String> complete(GrpcBdts bdts, Map<String, String> options) throws IOException {
        if (!options.getOrDefault(STORE, "").isBlank()) {
            if (!mount.isEmpty()) {
                throw new IllegalArgumentException(
                        "the mount is named twice: as %s@%s, and by %s=%s. Leave out one of them"
                                .formatted(mount, masters, STORE, options.get(STORE)));
            }
            return options;
        }
        Map<String, String> all =
                new HashMap<>(bdts.terms().find(mount, options).store());
        // A client that reaches the store another way says so.
        all.putAll(options);
        return all;
    }

    /** Returns the authority as a URI has it. */
    @Override
    public String toString() {
        return mount.isEmpty() ? masters : mount + "@" + masters;
    }
}
