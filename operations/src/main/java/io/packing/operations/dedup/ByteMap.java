// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dedup;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FileVersion;
import java.util.ArrayList;
import java.util.List;

/**
 * A file's map of bytes to contents. Files with the same map have the same bytes, and share all of them. Between the
 * references are holes, which read as zeros.
 *
 * @param length of the file
 * @param references by ascending offset in the file, neighbours in one content as one
 */
record ByteMap(long length, List<Reference> references) {
    /**
     * Bytes of a content.
     *
     * @param offset in the file
     * @param contentOffset in the content
     * @param contentLength of the whole content
     */
    record Reference(long offset, long length, FileVersion content, long contentOffset, long contentLength) {
        boolean isWhole() {
            return length == contentLength;
        }

        private boolean isFollowedBy(Placement.Piece piece) {
            return offset + length == piece.offset()
                    && contentOffset + length == piece.contentOffset()
                    && content.equals(piece.content().status().version());
        }
    }

    ByteMap {
        references = List.copyOf(references);
    }

    /** Returns the map of a file that shares bytes, or may. */
    static ByteMap of(LocatedFile file, Placement.Mapped mapped) {
        List<Reference> references = new ArrayList<>();
        for (Placement.Piece piece : mapped.pieces()) {
            int last = references.size() - 1;
            if (last >= 0 && references.get(last).isFollowedBy(piece)) {
                Reference before = references.get(last);
                references.set(
                        last,
                        new Reference(
                                before.offset(),
                                before.length() + piece.length(),
                                before.content(),
                                before.contentOffset(),
                                before.contentLength()));
            } else {
                references.add(new Reference(
                        piece.offset(),
                        piece.length(),
                        piece.content().status().version(),
                        piece.contentOffset(),
                        piece.content().status().attributes().length()));
            }
        }
        return new ByteMap(file.status().attributes().length(), references);
    }
}
