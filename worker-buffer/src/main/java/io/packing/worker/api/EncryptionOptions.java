// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.bdt.BdtOptions;
import io.packing.encryption.Keystore;
import io.packing.encryption.Keystores;
import io.packing.options.Option;
import io.packing.options.Options;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of a mount's encryption.
 *
 * @param key name of the key of new blobs; empty: they are not encrypted
 * @param keystore where keys are; absent: encrypted blobs cannot be read
 * @param passwordFile of the keystore
 */
public record EncryptionOptions(String key, Optional<URI> keystore, Optional<Path> passwordFile) {
    public static final Option<Optional<URI>> KEYSTORE = new Option<>(
            "packing.encryption.keystore",
            "",
            "The location of this process's keys: file:///PATH of lines NAME@VERSION HEX, jceks://file/PATH, "
                    + "or kms://SERVER with Hadoop on the class path. Readers of encrypted blobs need it, too.",
            text -> text.isEmpty() ? Optional.empty() : Optional.of(Keystores.location(text)));

    public static final Option<Optional<Path>> PASSWORD_FILE = new Option<>(
            "packing.encryption.password.file",
            "",
            "File of the password of a keystore of kind jceks; by default the variable HADOOP_KEYSTORE_PASSWORD, then none, as in Hadoop.",
            text -> text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text)));

    /** The options of one process, which it never sends. */
    public static final List<Option<?>> OPTIONS = List.of(KEYSTORE, PASSWORD_FILE);

    public EncryptionOptions {
        if (!key.isEmpty() && keystore.isEmpty()) {
            throw new IllegalArgumentException("option %s: %s has to say where key %s is"
                    .formatted(BdtOptions.ENCRYPTION_KEY.key(), KEYSTORE.key(), key));
        }
    }

    static EncryptionOptions from(Options options) {
        return new EncryptionOptions(
                options.get(BdtOptions.ENCRYPTION_KEY), options.get(KEYSTORE), options.get(PASSWORD_FILE));
    }

    /** Reads the options of a reader; ignores all other keys of the map. */
    public static EncryptionOptions ofReader(Map<String, String> raw) {
        Map<String, String> own = new HashMap<>();
        OPTIONS.forEach(option -> {
            String value = raw.get(option.key());
            if (value != null) {
                own.put(option.key(), value);
            }
        });
        Options options = Options.check(own, "packing.", OPTIONS);
        return new EncryptionOptions("", options.get(KEYSTORE), options.get(PASSWORD_FILE));
    }

    /** Returns whether new blobs are encrypted. */
    public boolean encrypts() {
        return !key.isEmpty();
    }

    /** Opens the keystore; without one, returns a keystore without keys. The caller closes it. */
    public Keystore open() throws IOException {
        return keystore.isPresent() ? Keystores.open(keystore.get(), passwordFile) : Keystore.NONE;
    }
}
