package io.packing.registry.store;

import java.util.Locale;

/** Where the bytes of a blob come from when it is read. */
public enum BlobSource {
    /** It is in the mount as it was pushed. */
    INTACT,
    /** It was split, and is put together from its files. */
    RESTORED,
    /** It was split, and its recipe and some of its files were sent to a client that has the others. */
    LEAN,
    /** It was in the cache of this process. */
    CACHED,
    /** It was on its way into the cache of this process. */
    AWAITED;

    /** As in metrics. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
