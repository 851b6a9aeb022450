// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.util.List;

/**
 * A file version with the extents of an old blob of which a new blob takes the live bytes.
 *
 * @param file the entry in the old footer, with version, path and attributes
 * @param extents none: the file is empty
 */
public record LiveFile(PackedFile file, List<LiveExtent> extents) {
    public LiveFile {
        extents = List.copyOf(extents);
    }

    public FileVersion version() {
        return file.version();
    }
}
