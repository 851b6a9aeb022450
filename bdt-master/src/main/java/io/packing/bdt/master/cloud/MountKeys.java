// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.row.SharedOptionsRow;
import io.packing.blob.BlobKey;
import io.packing.blob.CompactedBlob;
import io.packing.encryption.DataKeys;
import io.packing.encryption.Keystore;
import io.packing.encryption.ObjectCipher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.LongSupplier;

/** By what the objects of a mount are encrypted and decrypted. Thread-safe. */
public final class MountKeys {
    /** The row with the name of the mount's key. A mount that has one is never written in plain again. */
    public static final byte[] KEY = SharedOptionsRow.ENCRYPTION;

    private final Keystore keystore;
    private final LongSupplier nanos;
    private volatile Optional<DataKeys> keys = Optional.empty();

    /** Makes the keys of a mount that is not encrypted yet. */
    public MountKeys(Keystore keystore, LongSupplier nanos) {
        this.keystore = keystore;
        this.nanos = nanos;
    }

    /** Returns the keys of an unencrypted mount, at a master without keys. */
    public static MountKeys none() {
        return new MountKeys(Keystore.NONE, () -> 0);
    }

    /** Returns the keystore that decrypts. */
    public Keystore keystore() {
        return keystore;
    }

    /** The name of the key by which new objects are encrypted; empty: they are not. */
    public String name() {
        return keys.map(DataKeys::name).orElse("");
    }

    /**
     * New objects are encrypted from now on.
     *
     * @throws io.packing.encryption.KeyUnavailableException when there is no such key
     */
    public void use(String name) throws IOException {
        if (!name().equals(name)) {
            DataKeys next = new DataKeys(keystore, name, nanos);
            next.check();
            keys = Optional.of(next);
        }
    }

    /** Returns the cipher of a new backup or journal; empty: it is not encrypted. */
    Optional<ObjectCipher> rows() throws IOException {
        Optional<DataKeys> now = keys;
        return now.isPresent() ? Optional.of(now.get().begin(ObjectCipher.Purpose.ROWS)) : Optional.empty();
    }

    /** Returns the key of a new blob; empty: it is not encrypted. */
    public Optional<BlobKey> blob() throws IOException {
        Optional<DataKeys> now = keys;
        return now.isPresent() ? Optional.of(BlobKey.begin(now.get())) : Optional.empty();
    }

    /** Returns the keys as a compaction needs them. */
    public CompactedBlob.Keys ofBlobs() {
        return new CompactedBlob.Keys() {
            @Override
            public Keystore keystore() {
                return keystore;
            }

            @Override
            public boolean encrypts() {
                return !name().isEmpty();
            }

            @Override
            public Optional<BlobKey> blob() throws IOException {
                return MountKeys.this.blob();
            }
        };
    }

    /** The row of a name. */
    public static byte[] row(String name) {
        return name.getBytes(StandardCharsets.UTF_8);
    }

    /** The name in a row. */
    public static String name(byte[] row) {
        return new String(row, StandardCharsets.UTF_8);
    }
}
