// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.util.LinkedHashMap;
import java.util.Map;

/** The keys of a store in the environment of a process, where other users of the machine do not see them. */
public final class EnvironmentKeys {
    /** The variable of the access key. */
    public static final String ACCESS = "PACKING_S3_ACCESS_KEY";

    /** The variable of the secret key. */
    public static final String SECRET = "PACKING_S3_SECRET_KEY";

    private EnvironmentKeys() {}

    /**
     * Adds the keys of an environment to options that have neither a secret key nor a file of credentials.
     *
     * @throws IllegalArgumentException when the environment has one key without the other, or a secret for another key
     */
    public static Map<String, String> added(Map<String, String> options, Map<String, String> environment) {
        Map<String, String> all = new LinkedHashMap<>(options);
        if (options.containsKey(StoreOptions.SECRET_KEY.key())
                || options.containsKey(StoreOptions.CREDENTIALS_FILE.key())) {
            return all;
        }
        String access = environment.getOrDefault(ACCESS, "");
        String secret = environment.getOrDefault(SECRET, "");
        if (access.isEmpty() != secret.isEmpty()) {
            throw new IllegalArgumentException("%s and %s belong together: set both or none".formatted(ACCESS, SECRET));
        }
        String named = options.getOrDefault(StoreOptions.ACCESS_KEY.key(), access);
        if (!secret.isEmpty() && !named.equals(access)) {
            throw new IllegalArgumentException("%s is another key than %s, which belongs to %s: set one of them"
                    .formatted(StoreOptions.ACCESS_KEY.key(), ACCESS, SECRET));
        }
        if (!secret.isEmpty()) {
            all.putIfAbsent(StoreOptions.ACCESS_KEY.key(), access);
            all.put(StoreOptions.SECRET_KEY.key(), secret);
        }
        return all;
    }
}
