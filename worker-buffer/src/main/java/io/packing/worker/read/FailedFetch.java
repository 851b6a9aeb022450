// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.blob.BlobName;
import io.packing.blob.CorruptBlobException;
import io.packing.store.ObjectNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a fetch that other readers wait for. When the fetching reader was interrupted or its mount was closed,
 * the failure is its own: the others fetch the page themselves.
 */
final class FailedFetch extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient @Nullable BlobPages by;
    private final boolean interrupted;

    FailedFetch(@Nullable BlobPages by, @Nullable Throwable cause) {
        super(cause);
        this.by = by;
        this.interrupted = Thread.currentThread().isInterrupted()
                || cause instanceof InterruptedIOException
                || cause instanceof ClosedByInterruptException;
    }

    /** Returns the failure of a page's future. */
    static FailedFetch of(CompletionException ended) {
        return ended.getCause() instanceof FailedFetch failed ? failed : new FailedFetch(null, ended.getCause());
    }

    /** Returns whether a reader of this mount may succeed. */
    boolean isOnlyAnothers(BlobPages mount) {
        return interrupted || by != mount;
    }

    /** Returns the exception for a reader of the blob. */
    IOException toldOf(BlobName blob) {
        Throwable why = getCause();
        if (why instanceof ObjectNotFoundException cause) {
            return gone(blob, cause);
        }
        if (why instanceof CorruptBlobException cause) {
            return new CorruptBlobException(String.valueOf(cause.getMessage()), cause);
        }
        return new IOException("cannot read %s: %s".formatted(blob, why), why);
    }

    /** Returns the exception for a reader of a blob that the store does not have. */
    static ObjectNotFoundException gone(BlobName blob, ObjectNotFoundException cause) {
        return new ObjectNotFoundException("blob %s is gone".formatted(blob), cause);
    }
}
