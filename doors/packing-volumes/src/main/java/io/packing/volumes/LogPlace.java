// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.blob.FilePath;

/** The place of bytes in a group of a volume's log. */
record LogPlace(FilePath file, long offset) {
    LogPlace {
        if (offset < 0) {
            throw new IllegalArgumentException("%s at %d".formatted(file, offset));
        }
    }

    /** Returns the place of bytes that lie behind these. */
    LogPlace plus(long bytes) {
        return new LogPlace(file, offset + bytes);
    }
}
