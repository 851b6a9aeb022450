// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.read;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.UnavailableException;
import io.packing.blob.BlobExtent;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.SoundRead;
import io.packing.buffers.Slices;
import io.packing.store.ObjectNotFoundException;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.TimeoutOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The input of a file, wherever its bytes are; it locates them again when they moved. */
public final class LocatedInput implements PackingInput, ExtentRunSource {
    private static final Logger LOG = LoggerFactory.getLogger(LocatedInput.class);
    private static final int TRIES = 8;
    private static final int PEER_READ_BYTES = Extent.MAX_LENGTH;

    /** Bytes that this process buffers itself. */
    public interface OwnBuffer {
        /** Reads at most so many bytes, none at or past the end; empty: this process does not buffer the version. */
        Optional<ByteBuffer> read(FileVersion version, long offset, int length) throws IOException;
    }

    /** A search for the new place of a version whose bytes moved. */
    interface Locator {
        /** Locates the version; empty when it was deleted or overwritten. */
        Optional<LocatedFile> locate(FileVersion version, FilePath openedAs) throws IOException;
    }

    private final Locator locator;
    private final String mount;
    private final BlobPages pages;
    private final OwnBuffer own;
    private final Peers peers;
    private final StoredBytes stored;
    private final FilePath path;
    private final FileVersion version;
    private final FileAttributes attributes;
    private volatile Placement placement;

    /**
     * Opens a located file.
     *
     * @param reader reads its bytes wherever they are
     */
    LocatedInput(Locator locator, FileReader reader, LocatedFile file) {
        this.locator = locator;
        this.mount = reader.mount();
        this.pages = reader.pages();
        this.own = reader.own();
        this.peers = reader.peers();
        this.stored = reader.stored();
        this.path = file.status().path();
        this.version = file.status().version();
        this.attributes = file.status().attributes();
        this.placement = file.placement();
    }

    @Override
    public FileAttributes attributes() {
        return attributes;
    }

    @Override
    public int read(long position, ByteBuffer into) throws IOException {
        return read(position, into, BlobExtents.Keeping.PAGES);
    }

    @Override
    public int readOnce(long position, ByteBuffer into) throws IOException {
        if (position >= 0 && position < attributes.length()) {
            int several = pages.runs().read(run(position, into.remaining()), into);
            if (several > 0) {
                return several;
            }
        }
        return read(position, into, BlobExtents.Keeping.NOTHING);
    }

    private int read(long position, ByteBuffer into, BlobExtents.Keeping keeping) throws IOException {
        if (position < 0) {
            throw new IllegalArgumentException("negative position " + position);
        }
        if (position >= attributes.length()) {
            return -1;
        }
        int length = (int) Math.min(into.remaining(), attributes.length() - position);
        if (length == 0) {
            return 0;
        }
        for (int i = 0; i < TRIES; i++) {
            Placement now = placement;
            int count = now instanceof Placement.Packed packed
                    ? packed(packed.extents(), position, length, into, keeping)
                    : unpacked(now, position, length, into);
            if (count > 0) {
                return count;
            }
            placement = locator.locate(version, path)
                    .orElseThrow(
                            () -> new FileNotFoundException("file %s was deleted or overwritten".formatted(version)))
                    .placement();
        }
        throw new IOException(
                "file %s: not found at its place in the BDT, %s, after %d tries".formatted(version, placement, TRIES));
    }

    @Override
    public long checkedEnd(long position) {
        if (placement instanceof Placement.Packed packed && position >= 0 && position < attributes.length()) {
            Optional<BlobExtent> at = findExtent(packed.extents(), position);
            if (at.isPresent()) {
                return at.get().extent().fileEnd();
            }
        }
        return PackingInput.super.checkedEnd(position);
    }

    @Override
    public long runEnd(long position, int most) {
        return Math.max(checkedEnd(position), ExtentRunSource.end(position, run(position, most)));
    }

    @Override
    public Optional<BlobExtent> wholeExtent(long position) {
        return placement instanceof Placement.Packed packed
                ? findExtent(packed.extents(), position)
                        .filter(at -> at.extent().fileOffset() == position)
                : Optional.empty();
    }

    /** Reads from the extent at the position; returns the number of bytes, 0: they moved. */
    private int packed(
            List<BlobExtent> extents, long position, int length, ByteBuffer into, BlobExtents.Keeping keeping)
            throws IOException {
        BlobExtent at = extentAt(extents, position);
        int skip = (int) (position - at.extent().fileOffset());
        try {
            if (skip == 0 && pages.extents().read(at, into, keeping)) {
                return at.extent().length();
            }
            int count = pages.extents().read(version.id(), at, skip, Slices.of(into, into.position(), length));
            into.position(into.position() + count);
            return count;
        } catch (ObjectNotFoundException e) {
            // A blob goes when none of its files is live; the master knows if this file is.
            return 0;
        }
    }

    /**
     * Reads bytes that this process does not read from blobs: workers give them; returns their number, 0: they moved.
     */
    private int unpacked(Placement now, long position, int length, ByteBuffer into) throws IOException {
        if (now instanceof Placement.Buffered buffered) {
            Optional<ByteBuffer> mine = own.read(version, position, length);
            Optional<ByteBuffer> bytes =
                    mine.isPresent() ? mine : peer(buffered, position, Math.min(length, PEER_READ_BYTES));
            if (bytes.isEmpty()) {
                return 0;
            }
            return put(bytes.get(), length, into);
        }
        if (now instanceof Placement.Withheld) {
            Optional<ByteBuffer> bytes =
                    sound(() -> stored.read(path, version, position, Math.min(length, PEER_READ_BYTES)));
            return bytes.isEmpty() ? 0 : put(bytes.get(), length, into);
        }
        if (!(now instanceof Placement.Lost lost)) {
            throw new IOException("file %s: its bytes are %s".formatted(version, now));
        }
        throw new IOException(
                "file %s is lost: worker %s came back without its buffer".formatted(version, lost.worker()));
    }

    private static int put(ByteBuffer found, int most, ByteBuffer into) {
        int count = Math.min(found.remaining(), most);
        into.put(Slices.of(found, found.position(), count));
        return count;
    }

    /** Returns a measure of the memory for the places: the number of extents, and one. */
    int weight() {
        return placement instanceof Placement.Packed packed
                ? 1 + packed.extents().size()
                : 1;
    }

    /** Reads from another worker's buffer; tries again when the bytes were damaged on the way. */
    private Optional<ByteBuffer> peer(Placement.Buffered at, long position, int length) throws IOException {
        try {
            return sound(() -> peers.read(at.address(), mount, path, version, position, length));
        } catch (UnavailableException e) {
            if (movedFrom(at)) {
                return Optional.empty();
            }
            throw new UnavailableException(
                    "%s is buffered at worker %s and in no blob yet, but the worker at %s does not give it: %s. Start the worker again or repair the network to it; %s waits longer"
                            .formatted(path, at.worker(), at.address(), e.getMessage(), TimeoutOptions.READ_PEER.key()),
                    e);
        }
    }

    /** A read over the network. */
    private interface Answer {
        Optional<ByteBuffer> read() throws IOException;
    }

    /** Reads again when the bytes were damaged on the way. */
    private static Optional<ByteBuffer> sound(Answer answer) throws IOException {
        for (int tries = 1; ; tries++) {
            try {
                return answer.read();
            } catch (CorruptBlobException e) {
                if (tries == SoundRead.TRIES) {
                    throw e;
                }
                LOG.warn("{}; asking again", e.getMessage());
            }
        }
    }

    /** Returns whether the master knows another place by now, as after a restart of the worker. */
    private boolean movedFrom(Placement.Buffered at) throws IOException {
        return locator.locate(version, path)
                .map(now -> !now.placement().equals(at))
                .orElse(true);
    }

    private BlobExtent extentAt(List<BlobExtent> extents, long position) throws IOException {
        return findExtent(extents, position)
                .orElseThrow(() -> new IOException("file %s has no extent at %d".formatted(version, position)));
    }

    private static Optional<BlobExtent> findExtent(List<BlobExtent> extents, long position) {
        int low = 0;
        int high = extents.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (extents.get(middle).extent().fileOffset() <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        if (extents.isEmpty()
                || position < extents.get(low).extent().fileOffset()
                || position >= extents.get(low).extent().fileEnd()) {
            return Optional.empty();
        }
        return Optional.of(extents.get(low));
    }

    @Override
    public void close() {
        // The cache keeps the pages, and each read opens its segment.
    }
}
