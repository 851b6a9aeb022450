package io.packing.bdt;

import io.packing.blob.BlobExtent;
import java.util.List;

/** Where a file's bytes are (§4.3). */
public sealed interface Placement {
    /** In blobs: extents by ascending file offset, covering the whole length. Empty for a file of length zero. */
    record Packed(List<BlobExtent> extents) implements Placement {
        public Packed {
            extents = List.copyOf(extents);
        }
    }

    /**
     * In blobs that the master does not name to the caller, or that the caller does not read itself: each worker of the mount reads them for it.
     * A file of length zero is {@link Packed}.
     */
    record Withheld() implements Placement {}

    /** In the buffer of the worker that claimed it, whose peer server has this address. */
    record Buffered(String worker, String address) implements Placement {}

    /**
     * In contents that other files may share: pieces by ascending offset. What no piece covers is a hole, which reads as zeros.
     */
    record Mapped(List<Piece> pieces) implements Placement {
        public Mapped {
            pieces = List.copyOf(pieces);
        }
    }

    /**
     * Bytes of a file that are those of a content.
     *
     * @param offset in the file
     * @param content as if it were a file; its bytes are never mapped themselves
     * @param contentOffset in the content
     */
    record Piece(long offset, long length, LocatedFile content, long contentOffset) {
        public Piece {
            long contentLength = content.status().attributes().length();
            if (offset < 0 || length <= 0 || contentOffset < 0 || contentOffset > contentLength - length) {
                throw new IllegalArgumentException("%d bytes at %d are not those at %d of %d bytes"
                        .formatted(length, offset, contentOffset, contentLength));
            }
            if (content.placement() instanceof Mapped) {
                throw new IllegalArgumentException("content " + content.status().version() + " is mapped itself");
            }
        }

        /** The offset behind the last byte. */
        public long end() {
            return offset + length;
        }
    }

    /** It was buffered by a worker that came back without it. */
    record Lost(String worker) implements Placement {}
}
