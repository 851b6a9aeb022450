// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.blob.AdoptedObject;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Decoding;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.RangeSource;
import io.packing.blob.SoundRead;
import io.packing.buffers.Slices;
import io.packing.encryption.KeyUnavailableException;
import io.packing.store.ObjectNotFoundException;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectVersion;
import io.packing.store.RangeBeyondObjectException;
import io.packing.worker.disk.BlobPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The extents of a store's blobs, checked and decoded, out of {@link BlobPages}. Damaged bytes leave the cache, and are
 * fetched again past every cache.
 */
public final class BlobExtents {
    private static final Logger LOG = LoggerFactory.getLogger(BlobExtents.class);
    /** The pages from which an extent that is read once is worth a request of its own. */
    private static final int MANY_PAGES = 4;

    private final BlobPages pages;
    private final PageCache cache;
    private final ObjectStore store;
    private final String prefix;
    private final PageListener listener;

    /** The choice of fetched bytes that the cache keeps, where it has one. */
    public enum Keeping {
        /** The cache keeps all pages, for the next reader. */
        PAGES,
        /**
         * The cache keeps no page: large extents come straight from the store, unless the cache or its disk has or
         * wants them.
         */
        NOTHING
    }

    BlobExtents(BlobPages pages, ObjectStore store, String prefix, PageListener listener) {
        this.pages = pages;
        this.cache = pages.cache();
        this.store = store;
        this.prefix = prefix;
        this.listener = listener;
    }

    /**
     * Returns the checked and decoded bytes of an extent.
     *
     * @param fileId of the extent's content
     * @throws CorruptBlobException when the store gave damaged bytes each time; the next read fetches them again
     * @throws KeyUnavailableException when this process does not have the blob's key
     */
    public ByteBuffer read(long fileId, BlobExtent at) throws IOException {
        if (isPlain(at)) {
            return decode(fileId, at);
        }
        if (at.extent().codec() == Codec.ADOPTED) {
            return adopted(at, 0, at.extent().length());
        }
        return cache.decoded()
                .get(new PageCache.DecodedExtent(fileId, at), () -> decode(fileId, at))
                .duplicate();
    }

    /**
     * Checks and decodes the stored bytes of an extent.
     *
     * @throws CorruptBlobException when they are damaged: another read may help
     */
    ByteBuffer decoded(long fileId, BlobExtent at, ByteBuffer stored) throws IOException {
        Decoding with = cache.decodings().of(at.blob(), fileId, at.extent(), new CachedBlob(at.blob()));
        return ExtentCodec.decode(at.blob().toString(), at.extent(), stored, with);
    }

    /**
     * Reads some bytes of an extent, with no further copy. It checks all of a large extent once; a later read of a part
     * needs only the pages of that part, and checks these by sums of their own.
     *
     * @param skip bytes of the extent before the wanted ones
     * @return the number of bytes read, at least 1: to the end of the extent or of the buffer
     */
    int read(long fileId, BlobExtent at, int skip, ByteBuffer into) throws IOException {
        int count = Math.min(into.remaining(), at.extent().length() - skip);
        int start = into.position();
        if (at.extent().codec() == Codec.ADOPTED) {
            into.put(adopted(at, skip, count));
            return count;
        }
        if (isPlain(at) && at.extent().length() > BlobPage.BYTES) {
            try {
                CheckedExtent checked = cache.checked().get(at, () -> check(at));
                long first = checked.pageAt(skip);
                List<ByteBuffer> read = pages.pages(at.blob(), first, checked.pageAt(skip + count - 1));
                for (int i = 0; i < read.size(); i++) {
                    into.put(checked.bytes(first + i, read.get(i), skip, count));
                }
                return count;
            } catch (CorruptBlobException e) {
                LOG.debug("{}: a part is read with the whole extent", at, e);
                into.position(start);
            }
        }
        ByteBuffer bytes = read(fileId, at);
        into.put(Slices.of(bytes, bytes.position() + skip, count));
        return count;
    }

    /** Reads bytes of an extent from the object of others that has them. They are not kept: each read asks for the object's version. */
    private ByteBuffer adopted(BlobExtent at, int skip, int count) throws IOException {
        Extent extent = at.extent();
        AdoptedObject object = SoundRead.of(
                new CachedBlob(at.blob()),
                extent.blobOffset(),
                extent.storedLength(),
                stored -> ExtentCodec.adopted(at.blob().toString(), extent, stored));
        return store.getVersion(
                new ObjectVersion(object.bucket(), object.key(), object.version(), object.length()),
                extent.fileOffset() + skip,
                count);
    }

    private CheckedExtent check(BlobExtent at) throws IOException {
        long first = at.extent().blobOffset() / BlobPage.BYTES;
        long last = (at.extent().blobEnd() - 1) / BlobPage.BYTES;
        return CheckedExtent.of(at, pages.pages(at.blob(), first, last));
    }

    /** Returns whether an extent is stored as its bytes. */
    private static boolean isPlain(BlobExtent at) {
        return at.extent().codec() == Codec.NONE;
    }

    private ByteBuffer decode(long fileId, BlobExtent at) throws IOException {
        Extent extent = at.extent();
        CachedBlob blob = new CachedBlob(at.blob());
        Decoding with = cache.decodings().of(at.blob(), fileId, extent, blob);
        return SoundRead.of(
                blob,
                extent.blobOffset(),
                extent.storedLength(),
                stored -> ExtentCodec.decode(at.blob().toString(), extent, stored, with));
    }

    /**
     * Reads a whole extent into the caller's buffer, which takes its pages without a further copy.
     *
     * @return false, without a read, when the extent does not fit in the buffer, or is not stored as its bytes
     */
    boolean read(BlobExtent at, ByteBuffer into, Keeping keeping) throws IOException {
        Extent extent = at.extent();
        if (extent.codec() != Codec.NONE || into.remaining() < extent.length()) {
            return false;
        }
        ByteBuffer room = Slices.of(into, into.position(), extent.length());
        ByteBuffer bytes = SoundRead.of(
                new CachedBlob(at.blob(), Optional.of(room), keeping),
                extent.blobOffset(),
                extent.storedLength(),
                stored -> ExtentCodec.decode(at.blob().toString(), extent, stored));
        if (room.position() == extent.length()) {
            into.position(into.position() + extent.length());
        } else {
            into.put(bytes);
        }
        return true;
    }

    /** A blob's body from this cache; a repeated read goes to the store. */
    private final class CachedBlob implements RangeSource {
        private final BlobName blob;
        /** The caller's buffer; its position moves if the last read filled it. */
        private final Optional<ByteBuffer> room;

        private final Keeping keeping;

        CachedBlob(BlobName blob) {
            this(blob, Optional.empty(), Keeping.PAGES);
        }

        CachedBlob(BlobName blob, Optional<ByteBuffer> room, Keeping keeping) {
            this.blob = blob;
            this.room = room;
            this.keeping = keeping;
        }

        @Override
        public String name() {
            return blob.toString();
        }

        @Override
        public long length() {
            return blob.footerOffset();
        }

        @Override
        public ByteBuffer read(long offset, int length) throws IOException {
            long first = offset / BlobPage.BYTES;
            long last = (offset + length - 1) / BlobPage.BYTES;
            if (first == last) {
                return part(pages.pages(blob, first, last).get(0), first, offset, length);
            }
            if (room.isPresent() && isPassing(room.get(), first, last)) {
                return around(room.get(), first, last, offset, length);
            }
            List<ByteBuffer> read = pages.pages(blob, first, last);
            ByteBuffer stored = room.orElseGet(() -> ByteBuffer.allocate(length));
            for (int i = 0; i < read.size(); i++) {
                stored.put(part(read.get(i), first + i, offset, length));
            }
            return stored.duplicate().flip();
        }

        /** Returns whether the bytes bypass the cache. */
        private boolean isPassing(ByteBuffer room, long first, long last) {
            if (keeping == Keeping.PAGES
                    || last - first < MANY_PAGES
                    || cache.disk().isOn()
                    || !room.hasArray()) {
                return false;
            }
            return !cache.hasPages(blob, first, last);
        }

        private ByteBuffer around(ByteBuffer room, long first, long last, long offset, int length) throws IOException {
            for (long number = first; number <= last; number++) {
                listener.page(false);
            }
            int got;
            try {
                got = store.get(prefix + blob.key(), offset, List.of(room));
            } catch (ObjectNotFoundException e) {
                throw FailedFetch.gone(blob, e);
            } catch (RangeBeyondObjectException e) {
                throw new CorruptBlobException(String.valueOf(e.getMessage()), e);
            }
            if (got != length) {
                throw new CorruptBlobException("%s: %d bytes at %d+%d".formatted(blob, got, offset, length));
            }
            return room.duplicate().flip();
        }

        @Override
        public ByteBuffer readAgain(long offset, int length) throws IOException {
            room.ifPresent(ByteBuffer::clear);
            listener.damaged();
            LOG.warn("{}: the bytes at {}+{} were damaged on the way, fetching them again", blob, offset, length);
            pages.forget(blob, offset, length);
            try {
                return store.getAgain(prefix + blob.key(), offset, length);
            } catch (ObjectNotFoundException e) {
                throw FailedFetch.gone(blob, e);
            } catch (RangeBeyondObjectException e) {
                throw new CorruptBlobException(String.valueOf(e.getMessage()), e);
            }
        }
    }

    /** Returns the bytes of a page that are in a range of the blob. */
    static ByteBuffer part(ByteBuffer page, long number, long offset, int length) {
        int start = (int) Math.max(0, offset - number * BlobPage.BYTES);
        int end = (int) Math.min(page.limit(), offset + length - number * BlobPage.BYTES);
        return Slices.of(page, start, end - start);
    }
}
