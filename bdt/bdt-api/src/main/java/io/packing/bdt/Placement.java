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

    /** In the buffer of the worker that claimed it, whose peer server has this address. */
    record Buffered(String worker, String address) implements Placement {}

    /** It was buffered by a worker that came back without it. */
    record Lost(String worker) implements Placement {}
}
