package io.packing.worker.read;

import io.packing.worker.disk.BlobPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A page of a blob that somebody brings by another way than a fetch of it. Whoever reads it meanwhile waits, so it must come or fail.
 * Each extent in it is checked when it is read, as those of fetched pages are: a page with wrong bytes is fetched from the store then.
 */
public final class ExpectedPage {
    private final BlobPage page;
    private final CompletableFuture<ByteBuffer> bytes;
    private final Consumer<ByteBuffer> kept;

    /** @param kept told of the bytes when they are there */
    ExpectedPage(BlobPage page, CompletableFuture<ByteBuffer> bytes, Consumer<ByteBuffer> kept) {
        this.page = page;
        this.bytes = bytes;
        this.kept = kept;
    }

    public BlobPage page() {
        return page;
    }

    /**
     * The page is there.
     *
     * @param stored its bytes as they are in the blob, which must stay as they are; of another length the page fails
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

    /** It does not come: those who wait fetch it themselves. */
    public void failed(Throwable why) {
        boolean unused = bytes.completeExceptionally(new FailedFetch(null, why));
    }
}
