// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.BlobExtent;
import io.packing.blob.FileVersion;
import java.util.List;

/** A file whose extents are all pushed: they replace its claim, if the version still exists. */
public record CommittedFile(FileVersion version, List<BlobExtent> extents) {
    public CommittedFile {
        extents = List.copyOf(extents);
    }
}
