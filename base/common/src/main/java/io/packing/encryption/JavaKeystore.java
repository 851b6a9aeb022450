// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The reader of a file of type JCEKS, as {@code hadoop key create} writes it. Each version of a key is an entry, {@code
 * NAME@VERSION}. Entries without a version are Hadoop's own descriptions of keys, which only Hadoop can read, and which
 * are not needed.
 */
final class JavaKeystore {
    private JavaKeystore() {}

    static Map<String, byte[]> read(Path path, char[] password) throws IOException {
        Map<String, byte[]> keys = new LinkedHashMap<>();
        try (InputStream in = Files.newInputStream(path)) {
            KeyStore store = KeyStore.getInstance("JCEKS");
            store.load(in, password);
            for (String alias : Collections.list(store.aliases())) {
                if (alias.indexOf('@') < 0 || !WrappedKey.isName(alias)) {
                    continue;
                }
                Key key = store.getKey(alias, password);
                byte[] bytes = key == null ? null : key.getEncoded();
                if (bytes == null || bytes.length != DataKey.BYTES) {
                    throw new KeyUnavailableException(
                            "%s: %s is no key of 256 bits; create keys with hadoop key create NAME -size 256"
                                    .formatted(path, alias));
                }
                keys.put(alias, bytes);
            }
        } catch (GeneralSecurityException e) {
            throw new KeyUnavailableException(
                    "%s: cannot be read as a keystore of type JCEKS: %s".formatted(path, e.getMessage()), e);
        }
        return keys;
    }
}
