// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;

/**
 * The place of bytes in a group of a volume's log.
 *
 * @param file of the group, until a vector has mapped it
 * @param version of the file, which is the content that the map refers to afterwards
 */
record LogPlace(FilePath file, FileVersion version, long offset) {
    LogPlace {
        if (offset < 0) {
            throw new IllegalArgumentException("%s at %d".formatted(file, offset));
        }
    }

    /** Returns the place of bytes that lie behind these. */
    LogPlace plus(long bytes) {
        return new LogPlace(file, version, offset + bytes);
    }
}
