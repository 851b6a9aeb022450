// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.encryption.Keystore;
import io.packing.encryption.Keystores;
import io.packing.options.Option;
import io.packing.options.Options;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The place of the keys that encrypt mounts.
 *
 * @param location absent: it opens no encrypted mount
 * @param passwordFile of the keystore
 */
public record KeystoreOptions(Optional<URI> location, Optional<Path> passwordFile) {
    /** No keys. */
    public static final KeystoreOptions NONE = new KeystoreOptions(Optional.empty(), Optional.empty());

    static final Option<Optional<URI>> LOCATION = new Option<>(
            "bdt.encryption.keystore",
            "",
            "The location of the keys of encrypted mounts, as packing.encryption.keystore.",
            text -> text.isEmpty() ? Optional.empty() : Optional.of(Keystores.location(text)));

    static final Option<Optional<Path>> PASSWORD_FILE = new Option<>(
            "bdt.encryption.password.file",
            "",
            "File of the password of a keystore of kind jceks; by default the variable HADOOP_KEYSTORE_PASSWORD, then none, as in Hadoop.",
            text -> text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text)));

    static final List<Option<?>> OPTIONS = List.of(LOCATION, PASSWORD_FILE);

    static KeystoreOptions from(Options options) {
        return new KeystoreOptions(options.get(LOCATION), options.get(PASSWORD_FILE));
    }

    /** Opens it; one without keys when there is none. The caller closes it. */
    public Keystore open() throws IOException {
        return location.isPresent() ? Keystores.open(location.get(), passwordFile) : Keystore.NONE;
    }
}
