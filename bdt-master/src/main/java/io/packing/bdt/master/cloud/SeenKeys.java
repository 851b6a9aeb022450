// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.encryption.DataKey;
import io.packing.encryption.Keystore;
import io.packing.encryption.WrappedKey;
import java.io.IOException;
import java.util.Optional;
import javax.crypto.SecretKey;

/** A keystore that tells by which key a recovery found something encrypted: then the mount is. Thread-safe. */
final class SeenKeys implements Keystore {
    private final Keystore keystore;
    private volatile Optional<String> name = Optional.empty();

    SeenKeys(Keystore keystore) {
        this.keystore = keystore;
    }

    @Override
    public DataKey create(String wanted) throws IOException {
        return keystore.create(wanted);
    }

    @Override
    public SecretKey unwrap(WrappedKey wrapped) throws IOException {
        SecretKey secret = keystore.unwrap(wrapped);
        name = Optional.of(wrapped.name());
        return secret;
    }

    /** One of the keys; empty: nothing was encrypted. */
    Optional<String> name() {
        return name;
    }
}
