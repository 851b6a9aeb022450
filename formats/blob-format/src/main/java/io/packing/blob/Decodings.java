// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import io.packing.encryption.KeyUnavailableException;
import io.packing.encryption.Keystore;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The keys and dictionaries of the blobs read last, for readers of single extents. Thread-safe. */
public final class Decodings {
    /** The most dictionaries, together at most 8 MiB. */
    private static final int MOST = 64;
    /** The most keys, of some 500 bytes each. */
    private static final int MOST_KEYS = 4_096;

    private final Keystore keystore;
    private final Map<BlobName, Dictionary> dictionaries = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<BlobName, BlobKey> keys = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Creates an empty cache.
     *
     * @param keystore of the readers
     */
    public Decodings(Keystore keystore) {
        this.keystore = keystore;
    }

    /**
     * Returns the data that an extent of a blob needs for its decoding.
     *
     * @param fileId of the extent's content
     * @param blob whose key and dictionary are read, once, when the extent needs them
     * @throws CorruptBlobException when the extent needs a part of the blob that is missing or damaged
     * @throws KeyUnavailableException when this process does not have the blob's key
     */
    public Decoding of(BlobName name, long fileId, Extent extent, RangeSource blob) throws IOException {
        Codec codec = extent.codec();
        if (codec == Codec.NONE) {
            return Decoding.NONE;
        }
        Optional<BlobKey> key = codec.isEncrypted() ? Optional.of(key(name, blob)) : Optional.empty();
        Optional<Dictionary> dictionary =
                codec.plain() == Codec.ZSTD_DICTIONARY ? Optional.of(dictionary(name, key, blob)) : Optional.empty();
        return new Decoding(fileId, key, dictionary);
    }

    private BlobKey key(BlobName name, RangeSource blob) throws IOException {
        synchronized (keys) {
            BlobKey there = keys.get(name);
            if (there != null) {
                return there;
            }
        }
        // Two readers may read it at the same time, which does no harm.
        BlobKey read = BlobKey.read(blob, name.footerOffset(), keystore);
        remember(keys, name, read, MOST_KEYS);
        return read;
    }

    private Dictionary dictionary(BlobName name, Optional<BlobKey> key, RangeSource blob) throws IOException {
        synchronized (dictionaries) {
            Dictionary there = dictionaries.get(name);
            if (there != null) {
                return there;
            }
        }
        Dictionary read = Dictionary.read(blob, name.footerOffset(), key);
        remember(dictionaries, name, read, MOST);
        return read;
    }

    private static <V> void remember(Map<BlobName, V> known, BlobName name, V value, int most) {
        synchronized (known) {
            known.put(name, value);
            if (known.size() > most) {
                known.remove(known.keySet().iterator().next());
            }
        }
    }
}
