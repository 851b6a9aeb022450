// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.SecretKey;

/** A keystore that asks another one once for each data key: a reader meets equal ones in many objects. Thread-safe. */
final class RememberedKeys implements Keystore {
    private static final int MOST = 10_000;

    private final Keystore keystore;
    private final Map<WrappedKey, SecretKey> known = new LinkedHashMap<>(16, 0.75f, true);

    RememberedKeys(Keystore keystore) {
        this.keystore = keystore;
    }

    @Override
    public DataKey create(String name) throws IOException {
        DataKey made = keystore.create(name);
        // Check it before the first encryption: a process that cannot read a key again must not write with it.
        SecretKey again = keystore.unwrap(made.wrapped());
        if (!Arrays.equals(again.getEncoded(), made.secret().getEncoded())) {
            throw new KeyUnavailableException(
                    "keystore %s unwraps the data key that it made of %s to another one: nothing is encrypted with it"
                            .formatted(keystore, made.wrapped().version()));
        }
        remember(made.wrapped(), made.secret());
        return made;
    }

    @Override
    public SecretKey unwrap(WrappedKey wrapped) throws IOException {
        synchronized (known) {
            SecretKey there = known.get(wrapped);
            if (there != null) {
                return there;
            }
        }
        // Two readers may ask at once, which does no harm.
        SecretKey secret = keystore.unwrap(wrapped);
        remember(wrapped, secret);
        return secret;
    }

    private void remember(WrappedKey wrapped, SecretKey secret) {
        synchronized (known) {
            known.put(wrapped, secret);
            if (known.size() > MOST) {
                known.remove(known.keySet().iterator().next());
            }
        }
    }

    @Override
    public void close() {
        keystore.close();
    }

    @Override
    public String toString() {
        return keystore.toString();
    }
}
