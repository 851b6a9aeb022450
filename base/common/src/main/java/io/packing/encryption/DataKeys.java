// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The source of new objects' keys. All come from one data key for a while, and then from the next one, so that a new
 * version of the named key takes effect soon. The data key is in memory only: a restarted process makes another one.
 * Thread-safe.
 */
public final class DataKeys {
    /** The time for which a data key is used, and after which new objects have a new version of the named key. */
    public static final Duration LIFE = Duration.ofHours(1);

    private final Keystore keystore;
    private final String name;
    private final LongSupplier nanos;
    private Optional<DataKey> current = Optional.empty();
    private long since;

    /**
     * @param keystore that makes the data keys: one for the first object, and one in each {@link #LIFE}
     * @param name of the key that wraps the data keys
     */
    public DataKeys(Keystore keystore, String name, LongSupplier nanos) {
        if (!WrappedKey.isName(name)) {
            throw new IllegalArgumentException("'%s' is no name of a key".formatted(name));
        }
        this.keystore = keystore;
        this.name = name;
        this.nanos = nanos;
    }

    /** Returns the name of the key. */
    public String name() {
        return name;
    }

    /**
     * Returns the cipher for a new object.
     *
     * @throws KeyUnavailableException when the key cannot be had; the encryption has to wait
     */
    public ObjectCipher begin(ObjectCipher.Purpose purpose) throws IOException {
        return ObjectCipher.begin(current(), purpose);
    }

    private synchronized DataKey current() throws IOException {
        long now = nanos.getAsLong();
        if (current.isEmpty() || now - since >= LIFE.toNanos()) {
            current = Optional.of(keystore.create(name));
            since = now;
        }
        return current.get();
    }

    /** Makes sure that the key exists, so that a wrong name fails at once. */
    public void check() throws IOException {
        DataKey unused = current();
    }
}
