// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.BlobName;
import io.packing.blob.FileVersion;
import io.packing.blob.LiveExtent;
import java.util.List;

/**
 * The master's order to a worker to copy live bytes of sparse blobs into a new blob (RFC 0032). A reply to a worker that has the order already
 * leaves its sources out.
 *
 * @param number of the order; positive
 * @param timestampMicros in the name of the new blob, which is one of the master's own
 * @param push true if the table has a row for the new blob, so that the worker may push it
 */
public record CopyOrder(long number, long timestampMicros, boolean push, List<Source> sources) {
    /** The most files of an order: its report has to fit in a heartbeat. */
    public static final int MOST_FILES = 16_000;

    /** The most extents and live ranges of an order, by which it ends with the file that exceeds them. */
    public static final int MOST_EXTENTS = 40_000;

    /** A sparse blob with the files that need it. */
    public record Source(BlobName blob, long length, List<CopiedFile> files) {
        public Source {
            files = List.copyOf(files);
        }
    }

    /**
     * A file version with the extents whose live bytes are copied.
     *
     * @param rank of the file in the new blob
     * @param extents none: the file is empty
     */
    public record CopiedFile(FileVersion version, int rank, List<LiveExtent> extents) {
        public CopiedFile {
            extents = List.copyOf(extents);
        }
    }

    public CopyOrder {
        if (number <= 0) {
            throw new IllegalArgumentException("order " + number);
        }
        sources = List.copyOf(sources);
    }

    /** Returns this order for a worker that has it. */
    public CopyOrder withoutSources() {
        return new CopyOrder(number, timestampMicros, push, List.of());
    }

    /** Returns this order with the leave to push. */
    public CopyOrder mayPush() {
        return new CopyOrder(number, timestampMicros, true, sources);
    }
}
