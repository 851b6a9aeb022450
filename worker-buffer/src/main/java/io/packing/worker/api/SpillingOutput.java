// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.spans.CurrentSpan;
import io.packing.spans.Span;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An output that keeps a small file in memory, and hands a large one on in pieces. */
public abstract class SpillingOutput extends PackingOutput {
    private static final int FIRST_BYTES = 8 << 10;

    private final FilePath path;
    private final int pieceBytes;
    /** The span that created it. */
    private final Span created = CurrentSpan.get();

    private byte[] bytes = new byte[FIRST_BYTES];
    private int count;
    private boolean large;
    private Optional<FileVersion> version = Optional.empty();

    /** @param pieceBytes the size up to which a file is small */
    protected SpillingOutput(FilePath path, int pieceBytes) {
        super(path);
        this.path = path;
        this.pieceBytes = pieceBytes;
    }

    /** Stores a small file; its bytes do not change afterwards. */
    protected abstract CompletableFuture<FileVersion> put(ByteBuffer all) throws IOException;

    /** Takes a piece of a large file, not the last one. Its bytes change afterwards. */
    protected abstract void spill(ByteBuffer piece) throws IOException;

    /** Completes a large file with its last piece. */
    protected abstract CompletableFuture<FileVersion> finish(ByteBuffer last) throws IOException;

    @Override
    protected final void append(byte[] from, int offset, int length) throws IOException {
        for (int done = 0; done < length; ) {
            if (count == pieceBytes) {
                large = true;
                spill(ByteBuffer.wrap(bytes, 0, count));
                count = 0;
            }
            int step = Math.min(length - done, pieceBytes - count);
            if (count + step > bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(pieceBytes, Math.max(2L * bytes.length, count + step)));
            }
            System.arraycopy(from, offset + done, bytes, count, step);
            count += step;
            done += step;
        }
    }

    @Override
    protected final void complete() throws IOException {
        ByteBuffer rest = ByteBuffer.wrap(bytes, 0, count);
        try (Span span = created.child("close");
                CurrentSpan.Bound bound = CurrentSpan.bind(span)) {
            version = Optional.of(closed(span, rest));
        }
        bytes = new byte[0];
    }

    private FileVersion closed(Span span, ByteBuffer rest) throws IOException {
        try {
            return Awaited.get(large ? finish(rest) : put(rest), "closing " + path);
        } catch (IOException | RuntimeException e) {
            span.failed(e.toString());
            throw e;
        }
    }

    @Override
    public final FileVersion version() {
        return version.orElseThrow(() -> new IllegalStateException(path + " is not closed"));
    }
}
