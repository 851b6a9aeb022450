// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.cache;

import java.io.InterruptedIOException;
import java.nio.file.Path;

/** A layer on its way into the cache: a reader gets the bytes that are there, and waits for the others. Thread-safe. */
final class LayerDownload {
    /** The file that grows; it may get another name when it is whole. */
    private final Path part;

    private long written;
    private boolean failed;

    LayerDownload(Path part) {
        this.part = part;
    }

    Path part() {
        return part;
    }

    /** Notes that so many bytes can be read now. */
    synchronized void written(long bytes) {
        written = bytes;
        notifyAll();
    }

    /** Notes that the rest does not come. */
    synchronized void fail() {
        failed = true;
        notifyAll();
    }

    /** Waits for more than so many bytes; returns their number, or -1 when the rest does not come. */
    synchronized long awaitMore(long than) throws InterruptedIOException {
        while (written <= than && !failed) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while a layer is fetched");
            }
        }
        return written > than ? written : -1;
    }
}
