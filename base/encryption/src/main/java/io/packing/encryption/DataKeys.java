package io.packing.encryption;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Gives new objects their keys, all from one data key for a while, and then from the next one, so that a new version of the named
 * key is used soon. The data key is in memory only: a process that starts again makes another one. Thread-safe.
 */
public final class DataKeys {
    /** How long a data key is used, and so how long it takes until new objects have a new version. */
    public static final Duration LIFE = Duration.ofHours(1);

    private final Keystore keystore;
    private final String name;
    private final LongSupplier nanos;
    private Optional<DataKey> current = Optional.empty();
    private long since;

    /**
     * @param keystore that is asked when the first object is made, and once in a {@link #LIFE}
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

    /** The name of the key. */
    public String name() {
        return name;
    }

    /**
     * The cipher of a new object.
     *
     * @throws KeyUnavailableException when the key cannot be had; what is to be encrypted has to wait
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

    /** Makes sure that there is such a key, so that whoever names a wrong one hears of it at once. */
    public void check() throws IOException {
        DataKey unused = current();
    }
}
