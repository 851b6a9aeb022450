// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.BlobExtent;
import java.util.List;

/** The place of a file's bytes (§4.3). */
public sealed interface Placement {
    /**
     * The bytes are in blobs: extents by ascending file offset, covering the whole length. Empty for a file of length
     * zero.
     */
    record Packed(List<BlobExtent> extents) implements Placement {
        public Packed {
            extents = List.copyOf(extents);
        }
    }

    /**
     * The bytes are in blobs that the master does not name to the caller, or that the caller does not read: each worker
     * of the mount reads them for it. A file of length zero is {@link Packed}.
     */
    record Withheld() implements Placement {}

    /** The bytes are in the buffer of the worker that claimed the file, whose peer server has this address. */
    record Buffered(String worker, String address) implements Placement {}

    /**
     * The bytes are in contents that other files may share: pieces by ascending offset. Bytes between pieces are holes,
     * which read as zeros.
     */
    record Mapped(List<Piece> pieces) implements Placement {
        public Mapped {
            pieces = List.copyOf(pieces);
        }
    }

    /**
     * A range of a file with bytes of a content.
     *
     * @param offset in the file
     * @param content as a file; its own bytes are never mapped
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

        /** Returns the offset behind the last byte. */
        public long end() {
            return offset + length;
        }
    }

    /** The bytes are lost: their worker came back without its buffer. */
    record Lost(String worker) implements Placement {}
}
