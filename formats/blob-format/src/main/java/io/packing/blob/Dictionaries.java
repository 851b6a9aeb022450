package io.packing.blob;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The dictionaries of the blobs that were read last, for readers of single extents. Thread-safe. */
public final class Dictionaries {
    /** At most 8 MiB. */
    private static final int MOST = 64;

    private final Map<BlobName, Dictionary> known = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * What an extent of a blob must be decoded with.
     *
     * @param blob whose dictionary is read, once, when the extent needs it
     * @throws CorruptBlobException when it needs one, and the blob's is missing or damaged
     */
    public Optional<Dictionary> of(BlobName name, Extent extent, RangeSource blob) throws IOException {
        if (extent.codec() != Codec.ZSTD_DICTIONARY) {
            return Optional.empty();
        }
        synchronized (known) {
            Dictionary there = known.get(name);
            if (there != null) {
                return Optional.of(there);
            }
        }
        // Two readers may read it at once, which does no harm.
        Dictionary read = Dictionary.read(blob, name.footerOffset());
        synchronized (known) {
            known.put(name, read);
            if (known.size() > MOST) {
                known.remove(known.keySet().iterator().next());
            }
        }
        return Optional.of(read);
    }
}
