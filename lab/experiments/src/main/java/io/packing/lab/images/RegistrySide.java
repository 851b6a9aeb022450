// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.s3server.S3ServerMetrics;
import java.io.IOException;
import java.net.URI;
import java.util.List;

/** A registry with its store, of which processes come and go. */
interface RegistrySide extends AutoCloseable {
    /** A registry process. */
    interface Running extends AutoCloseable {
        URI uri();

        /** Waits until what was pushed has the form that it keeps. */
        void settle() throws IOException, InterruptedException;

        @Override
        void close() throws InterruptedException;
    }

    /**
     * Starts a registry over the store, with cold caches.
     *
     * @param flags of our registry
     */
    Running start(List<String> flags) throws IOException, InterruptedException;

    /** Waits until all that was pushed is in the store. */
    void flush() throws IOException, InterruptedException;

    /** Bytes that the store has to keep. */
    long storedBytes() throws IOException;

    /** Requests to the store so far. */
    S3ServerMetrics.Counts requests() throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
