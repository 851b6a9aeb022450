// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.io.IOException;
import javax.crypto.SecretKey;

/** A store of named keys: a file, or a service that never gives them away. Thread-safe. */
public interface Keystore extends AutoCloseable {
    /** The keystore of a process without one. */
    Keystore NONE = new Keystore() {
        @Override
        public DataKey create(String name) throws KeyUnavailableException {
            throw new KeyUnavailableException(
                    ("key %s is needed to encrypt, and this process has no keystore: name it in packing.encryption.keystore,"
                                    + " or in bdt.encryption.keystore at a master")
                            .formatted(name));
        }

        @Override
        public SecretKey unwrap(WrappedKey wrapped) throws KeyUnavailableException {
            throw new KeyUnavailableException(
                    ("key %s, version %s, is needed, and this process has no keystore: name one that has it in"
                                    + " packing.encryption.keystore, or in bdt.encryption.keystore at a master")
                            .formatted(wrapped.name(), wrapped.version()));
        }

        @Override
        public String toString() {
            return "no keystore";
        }
    };

    /**
     * Makes a new data key, wrapped by the newest version of a named key.
     *
     * @throws KeyUnavailableException when the key does not exist, or cannot be had now
     */
    DataKey create(String name) throws IOException;

    /**
     * Returns the data key of a wrapped one.
     *
     * @throws KeyUnavailableException when the wrapping version is missing, is another key, or cannot be had now
     */
    SecretKey unwrap(WrappedKey wrapped) throws IOException;

    @Override
    default void close() {}
}
