// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import java.util.Map;
import java.util.Optional;

/** The settings of Azure's libraries in the environment of a process. */
record AzureSettings(Map<String, String> environment) {
    static final String CONNECTION = "AZURE_STORAGE_CONNECTION_STRING";
    static final String TENANT = "AZURE_TENANT_ID";
    static final String CLIENT = "AZURE_CLIENT_ID";
    static final String SECRET = "AZURE_CLIENT_SECRET";
    static final String TOKEN_FILE = "AZURE_FEDERATED_TOKEN_FILE";
    static final String AUTHORITY = "AZURE_AUTHORITY_HOST";

    AzureSettings {
        environment = Map.copyOf(environment);
    }

    static AzureSettings ofProcess() {
        return new AzureSettings(System.getenv());
    }

    Optional<String> value(String name) {
        return Optional.ofNullable(environment.get(name)).filter(text -> !text.isEmpty());
    }

    /**
     * Returns a setting that another one needs beside it.
     *
     * @throws IllegalArgumentException naming both, when it is missing
     */
    String beside(String set, String name) {
        return value(name)
                .orElseThrow(() -> new IllegalArgumentException(
                        "credentials: %s is set without %s. Next: set both".formatted(set, name)));
    }
}
