// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A test of the index's size for a gigabyte of 8 KB files. */
class FooterSizeTest {
    private static final int FILES = 131_072;
    private static final int HEADER_BYTES = 100;

    @Test
    void aFileInNameOrderCostsTenBytes() {
        assertThat(storedBytes(false)).isLessThan(10 * FILES);
    }

    @Test
    void aFileInAnyOrderCostsTwentyFiveBytes() {
        assertThat(storedBytes(true)).isLessThan(25 * FILES);
    }

    private static int storedBytes(boolean shuffled) {
        Random random = Seed.random();
        List<Integer> names = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            names.add(i);
        }
        if (shuffled) {
            Collections.shuffle(names, random);
        }
        List<PackedFile> files = new ArrayList<>();
        long blobOffset = BlobHeader.SIZE;
        long mtimeMillis = 1_700_000_000_000L;
        for (int i = 0; i < FILES; i++) {
            blobOffset += HEADER_BYTES;
            mtimeMillis += random.nextInt(3);
            Extent extent = new Extent(0, 8192, blobOffset, 8192, Codec.NONE, random.nextInt());
            blobOffset += 8192;
            files.add(new PackedFile(
                    new FileVersion(1000 + i, 2000 + i + random.nextInt(64)),
                    new FilePath("/data/part-%03d/file-%06d.bin".formatted(names.get(i) / 1000, names.get(i))),
                    new FileAttributes(8192, mtimeMillis, "alice", "staff", 0644),
                    List.of(extent)));
        }
        return FooterWriter.deflate(FooterEncoder.encode(files, 1, FooterEncoder.Sections.NONE))
                .remaining();
    }
}
