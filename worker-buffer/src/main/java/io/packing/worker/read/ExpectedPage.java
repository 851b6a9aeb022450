// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.worker.disk.BlobPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A page of a blob that the caller brings by another way than a fetch. Its readers wait meanwhile, so it must arrive or
 * fail. A read checks each extent in it as in a fetched page; a page with wrong bytes is then fetched from the store.
 */
public final class ExpectedPage {
    private final BlobPage page;
    private final CompletableFuture<ByteBuffer> bytes;
    private final Consumer<ByteBuffer> kept;

    /** @param kept receives the bytes when they arrive */
    ExpectedPage(BlobPage page, CompletableFuture<ByteBuffer> bytes, Consumer<ByteBuffer> kept) {
        this.page = page;
        this.bytes = bytes;
        this.kept = kept;
    }

    public BlobPage page() {
        return page;
    }

    /**
     * Completes the page.
     *
     * @param stored its bytes in the blob, which the caller must not change; the page fails if their length is wrong
     */
    public void arrived(ByteBuffer stored) {
        if (stored.remaining() != page.length()) {
            failed(new IOException("%s has %d bytes, not %d".formatted(page, page.length(), stored.remaining())));
            return;
        }
        ByteBuffer own = stored.slice();
        if (bytes.complete(own)) {
            kept.accept(own);
        }
    }

    /** Fails the page: its readers fetch it themselves. */
    public void failed(Throwable why) {
        boolean unused = bytes.completeExceptionally(new FailedFetch(null, why));
    }
}
