// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.client.GrpcBdts;
import io.packing.store.StoreOptions;
import io.packing.worker.api.MountOptions;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The mount that a daemon serves, with the daemon's own options for it. */
class DaemonMount extends MastersArgument {
    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description =
                    "An option of this process for the mount; the master tells packing.store. May be repeated. Keys of the store are"
                            + " taken from " + MountTarget.ACCESS_VARIABLE + " and " + MountTarget.SECRET_VARIABLE
                            + ", or else from the source that AWS's settings ask for.")
    private Map<String, String> options = new LinkedHashMap<>();

    /** The options with those that lead to the mount's store; empty: the command has not asked the master yet. */
    private Optional<Map<String, String>> complete = Optional.empty();

    /** Gives an option a value, unless the user has given it one; returns whether it has this one now. */
    final boolean setDefault(String key, String value) {
        return options.putIfAbsent(key, value) == null;
    }

    /** Returns the place's URI. */
    final String text() throws IOException {
        return new MountUri(name(), base()).toString();
    }

    /** Returns the options of the mount, with those that lead to its store and with its credentials. */
    final Map<String, String> rawOptions() throws IOException {
        Map<String, String> given = MountTarget.withCredentials(options, System.getenv());
        if (complete.isEmpty()) {
            MountOptions toAsk = MountOptions.from(StoreOptions.orUnknownStore(given));
            try (GrpcBdts master = GrpcBdts.connect(
                    masters(), toAsk.timeouts().master(), toAsk.security(), warning -> tell("warning: " + warning))) {
                complete = Optional.of(name().complete(master, given));
            }
        }
        return complete.get();
    }
}
