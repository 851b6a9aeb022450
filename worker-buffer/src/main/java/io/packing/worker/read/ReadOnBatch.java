// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.buffers.Slices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of neighbours in blobs, for a client that reads the files behind them next. They come past the cache, which a reader of whole blobs
 * would fill with bytes that are wanted once. Confined to one thread.
 */
final class ReadOnBatch {
    /** The most bytes of one read: those of a batch, with bytes between them. */
    private static final int MOST_BYTES = 16 << 20;

    /** The part of a read from which the bytes of files are not copied out of it. */
    private static final double MOSTLY_WANTED = 0.9;

    private static final Logger LOG = LoggerFactory.getLogger(ReadOnBatch.class);

    private final BlobPages pages;
    private final Map<BlobExtent, ByteBuffer> stored = new HashMap<>();
    private final List<BlobExtent> run = new ArrayList<>();

    ReadOnBatch(BlobPages pages) {
        this.pages = pages;
    }

    /** Reads the extents of files that are in the order of their blobs. What fails is read again where a file needs it. */
    void read(List<LocatedFile> files) {
        for (LocatedFile file : files) {
            if (file.placement() instanceof Placement.Packed packed) {
                for (BlobExtent at : packed.extents()) {
                    if (at.extent().codec() != Codec.ADOPTED) {
                        add(at);
                    }
                }
            }
        }
        read();
    }

    private void add(BlobExtent at) {
        if (!run.isEmpty()) {
            BlobExtent last = run.get(run.size() - 1);
            long between = at.extent().blobOffset() - last.extent().blobEnd();
            long length = at.extent().blobEnd() - run.get(0).extent().blobOffset();
            if (!at.blob().equals(last.blob())
                    || between < 0
                    || between > BlobStreams.MOST_LEFT_OUT
                    || length > MOST_BYTES) {
                read();
            }
        }
        run.add(at);
    }

    private void read() {
        if (run.isEmpty()) {
            return;
        }
        BlobName blob = run.get(0).blob();
        long start = run.get(0).extent().blobOffset();
        long end = run.get(run.size() - 1).extent().blobEnd();
        try {
            ByteBuffer bytes = ByteBuffer.allocate((int) (end - start));
            pages.readOn(blob, start, bytes);
            long wanted =
                    run.stream().mapToLong(each -> each.extent().storedLength()).sum();
            for (BlobExtent at : run) {
                int from = (int) (at.extent().blobOffset() - start);
                ByteBuffer found = Slices.of(bytes, from, at.extent().storedLength());
                // The answer keeps what it has parts of until the client has taken it.
                stored.put(at, wanted >= MOSTLY_WANTED * (end - start) ? found : copy(found));
            }
        } catch (IOException e) {
            LOG.debug("{}: bytes from {} to {} are not read on", blob, start, end, e);
        }
        run.clear();
    }

    private static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }

    /** Returns the checked bytes of a file; empty when they are not here, or damaged. */
    Optional<ByteBuffer> bytes(LocatedFile file) {
        if (stored.isEmpty() || !(file.placement() instanceof Placement.Packed packed)) {
            return Optional.empty();
        }
        int length = (int) file.status().attributes().length();
        ByteBuffer all = ByteBuffer.allocate(packed.extents().size() == 1 ? 0 : length);
        try {
            for (BlobExtent at : packed.extents()) {
                ByteBuffer found = stored.get(at);
                if (found == null || at.extent().fileOffset() != all.position()) {
                    return Optional.empty();
                }
                ByteBuffer bytes =
                        pages.extents().decoded(file.status().version().id(), at, found.duplicate());
                if (packed.extents().size() == 1) {
                    // Most small files have one extent, whose bytes need no copy.
                    return bytes.remaining() == length ? Optional.of(bytes) : Optional.empty();
                }
                all.put(bytes);
            }
        } catch (IOException e) {
            LOG.debug("{} is read again", file.status().path(), e);
            return Optional.empty();
        }
        return all.hasRemaining() ? Optional.empty() : Optional.of(all.flip());
    }
}
