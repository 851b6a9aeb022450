package io.packing.worker.read;

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
import io.packing.store.RangeBeyondObjectException;
import io.packing.worker.disk.BlobPage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The extents of a store's blobs, checked and decoded, out of {@link BlobPages}. What is damaged leaves the cache and is fetched again past
 * every cache.
 */
public final class BlobExtents {
    private static final Logger LOG = LoggerFactory.getLogger(BlobExtents.class);
    /** What is at least so large, and will not be read again, is worth a request of its own. */
    private static final int MANY_PAGES = 4;

    private final BlobPages pages;
    private final PageCache cache;
    private final ObjectStore store;
    private final String prefix;
    private final PageListener listener;

    /** What of the fetched bytes the cache keeps, where that is free to choose. */
    public enum Keeping {
        /** All pages, for the next one who reads them. */
        PAGES,
        /** Nothing: large extents come straight from the store, unless they are in the cache or belong on the disk. */
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
     * The checked and decoded bytes of an extent.
     *
     * @param fileId of the content that the extent is of
     * @throws CorruptBlobException when the store gave damaged bytes each time; the next read asks it again
     * @throws KeyUnavailableException when the blob is encrypted by a key that is not here
     */
    public ByteBuffer read(long fileId, BlobExtent at) throws IOException {
        if (isPlain(at)) {
            return decode(fileId, at);
        }
        return cache.decoded()
                .get(new PageCache.DecodedExtent(fileId, at), () -> decode(fileId, at))
                .duplicate();
    }

    /**
     * Reads some bytes of an extent, without more copies than that. Of a large extent all is checked once; whoever reads a part of it then
     * needs the pages of that part, and they are checked by sums of their own.
     *
     * @param skip bytes of the extent before those that are wanted
     * @return how many bytes were read, at least 1: to the end of the extent or of the room
     */
    int read(long fileId, BlobExtent at, int skip, ByteBuffer into) throws IOException {
        int count = Math.min(into.remaining(), at.extent().length() - skip);
        int start = into.position();
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

    private CheckedExtent check(BlobExtent at) throws IOException {
        long first = at.extent().blobOffset() / BlobPage.BYTES;
        long last = (at.extent().blobEnd() - 1) / BlobPage.BYTES;
        return CheckedExtent.of(at, pages.pages(at.blob(), first, last));
    }

    /** Whether an extent is its bytes. */
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
     * Reads a whole extent straight to where somebody wants it: one of several pages is put together there and nowhere else.
     *
     * @return false when the buffer has no room for the whole extent, or its bytes are not what is stored; nothing is read then
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

    /** A blob's body as this cache has it; reads again from the store. */
    private final class CachedBlob implements RangeSource {
        private final BlobName blob;
        /** Its position says whether the bytes that were read last are there. */
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

        /** Whether the bytes pass the cache by. */
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

    /** Of a page the bytes in a range of the blob. */
    static ByteBuffer part(ByteBuffer page, long number, long offset, int length) {
        int start = (int) Math.max(0, offset - number * BlobPage.BYTES);
        int end = (int) Math.min(page.limit(), offset + length - number * BlobPage.BYTES);
        return Slices.of(page, start, end - start);
    }
}
