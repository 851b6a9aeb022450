// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.store.EnvironmentKeys;
import io.packing.store.StoreOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options of a mount that is given on the command line; its secret is not. */
final class MountTarget {
    /** The variables that have the credentials; without them, AWS's own chain is asked. */
    static final String ACCESS_VARIABLE = EnvironmentKeys.ACCESS;

    static final String SECRET_VARIABLE = EnvironmentKeys.SECRET;

    @Option(
            names = "--option",
            paramLabel = "KEY=VALUE",
            description =
                    "An option of this process for the mount; the master tells packing.store. May be repeated. Keys of the store "
                            + "are taken from " + ACCESS_VARIABLE + " and " + SECRET_VARIABLE
                            + ", or else from AWS's default credentials "
                            + "chain.")
    private Map<String, String> options = new LinkedHashMap<>();

    /** Another value of an option, or its default. */
    void set(String key, Optional<String> value) {
        value.ifPresentOrElse(text -> options.put(key, text), () -> options.remove(key));
    }

    Map<String, String> resolve() {
        return withCredentials(options, System.getenv());
    }

    /**
     * Adds the credentials of the environment.
     *
     * @throws IllegalArgumentException when the secret stands on the command line, where every user of the machine sees it
     */
    static Map<String, String> withCredentials(Map<String, String> options, Map<String, String> environment) {
        if (options.containsKey(StoreOptions.SECRET_KEY.key())) {
            throw new IllegalArgumentException(
                    "--option %s: every user of the machine can read a command line; set %s and %s instead"
                            .formatted(StoreOptions.SECRET_KEY.key(), ACCESS_VARIABLE, SECRET_VARIABLE));
        }
        return EnvironmentKeys.added(options, environment);
    }
}
