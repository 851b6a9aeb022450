// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

/** A receiver of each read of a blob's page, from {@link BlobPages}. */
public interface PageListener {
    /**
     * Notes a read of a page.
     *
     * @param cached true if memory had the page, or its fetch was on the way
     */
    default void page(boolean cached) {}

    /** Notes damaged bytes, which are fetched again past the cache. */
    default void damaged() {}

    /**
     * Notes a search on the disk for a page that memory did not have.
     *
     * @param found true if the disk had it
     */
    default void diskPage(boolean found) {}

    /** Notes a damaged page on the disk, which is fetched from the store. */
    default void diskDamaged() {}

    /** Notes a page that is not written to the disk, since the queue is full. */
    default void diskDropped() {}
}
