// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of Google's libraries in the environment of a process.
 *
 * @param home of its user
 */
record GoogleSettings(Map<String, String> environment, Path home) {
    static final String FILE = "GOOGLE_APPLICATION_CREDENTIALS";
    private static final String FOLDER = "CLOUDSDK_CONFIG";

    GoogleSettings {
        environment = Map.copyOf(environment);
    }

    static GoogleSettings ofProcess() {
        return new GoogleSettings(System.getenv(), Path.of(System.getProperty("user.home", "/")));
    }

    /** Returns the file that the environment names. */
    Optional<Path> namedFile() {
        return value(FILE).map(Path::of);
    }

    /** Returns the file of a person who has signed in with {@code gcloud auth application-default login}. */
    Path signedInFile() {
        return value(FOLDER)
                .map(Path::of)
                .orElseGet(() -> home.resolve(".config").resolve("gcloud"))
                .resolve("application_default_credentials.json");
    }

    private Optional<String> value(String name) {
        return Optional.ofNullable(environment.get(name)).filter(text -> !text.isEmpty());
    }
}
