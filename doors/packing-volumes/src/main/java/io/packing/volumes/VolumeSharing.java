// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.blob.FilePath;
import java.util.List;

/**
 * The sharing of equal blocks while a volume is written.
 *
 * @param blocks of 4 KB that the index knows at most; 0: no block is looked for
 * @param from files of the mount whose blocks are known from the beginning on, such as images that the volume resembles
 */
public record VolumeSharing(int blocks, List<FilePath> from) {
    /** Each block has bytes of its own. */
    public static final VolumeSharing NONE = new VolumeSharing(0, List.of());

    private static final int MOST_BLOCKS = 1 << 28;
    private static final int MOST_FILES = 1_000;

    public VolumeSharing {
        from = List.copyOf(from);
        if (blocks < 0 || blocks > MOST_BLOCKS || from.size() > MOST_FILES || (blocks == 0 && !from.isEmpty())) {
            throw new IllegalArgumentException(
                    "an index of %,d blocks with %,d files: want up to %,d blocks and %,d files"
                            .formatted(blocks, from.size(), MOST_BLOCKS, MOST_FILES));
        }
    }

    boolean isOn() {
        return blocks > 0;
    }
}
