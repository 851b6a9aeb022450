package io.packing.worker.read;

/** Hears of each page of a blob that is read: {@link BlobPages}. */
public interface PageListener {
    /**
     * A page was asked for.
     *
     * @param cached whether it was there, or at least on its way
     */
    default void page(boolean cached) {}

    /** Bytes were damaged, and are fetched again past the cache. */
    default void damaged() {}

    /**
     * A page that was not in memory was looked for on the disk.
     *
     * @param found whether it was there
     */
    default void diskPage(boolean found) {}

    /** A page on the disk was not what was written there; it is fetched from the store. */
    default void diskDamaged() {}

    /** A page is not written to the disk, since too many wait to be. */
    default void diskDropped() {}
}
