// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the bytes of blobs that are neither a file's nor dead. */
class FramingTest {
    private static final FileAttributes SMALL = new FileAttributes(10, 0, "u", "g", 0644);
    /** The bytes of the head of a record of {@code /f}. */
    private static final int HEAD = Framing.RECORD_BYTES + 4;

    private static PackedFile file(long id, long at) {
        return new PackedFile(
                new FileVersion(id, id), new FilePath("/f"), SMALL, List.of(new Extent(0, 10, at, 10, Codec.NONE, 0)));
    }

    @Test
    void allThatIsNoFilesIsFramingWhenEachFileHasItsHead() {
        long second = Framing.START_BYTES + HEAD + 10 + HEAD;
        long body = second + 10;
        List<PackedFile> files = List.of(file(1, Framing.START_BYTES + HEAD), file(2, second));
        assertThat(Framing.of(body, body + 100, files)).isEqualTo(body + 100 - 20);
    }

    @Test
    void aBlobWithoutGapsHasOnlyItsHeaderAndFooter() {
        assertThat(Framing.of(36, 136, List.of(file(1, 16), file(2, 26)))).isEqualTo(116);
    }

    @Test
    void gapsThatAreLargerThanTheHeadsOfTheFilesAreDead() {
        long body = 100_000;
        assertThat(Framing.of(body, body + 100, List.of(file(1, 50_000)))).isEqualTo(100 + Framing.START_BYTES + HEAD);
    }

    @Test
    void eachSliceOfALargeFileAndItsEndHaveAHead() {
        FileAttributes large = new FileAttributes(30, 0, "u", "g", 0644);
        PackedFile sliced = new PackedFile(
                new FileVersion(1, 1),
                new FilePath("/f"),
                large,
                List.of(new Extent(0, 10, 1_000, 10, Codec.NONE, 0), new Extent(10, 20, 2_000, 20, Codec.NONE, 0)));
        assertThat(Framing.of(3_000, 3_000, List.of(sliced))).isEqualTo(Framing.START_BYTES + 3 * HEAD);
        PackedFile empty = new PackedFile(
                new FileVersion(2, 2), new FilePath("/f"), new FileAttributes(0, 0, "u", "g", 0644), List.of());
        assertThat(Framing.of(3_000, 3_000, List.of(empty))).isEqualTo(Framing.START_BYTES + HEAD);
    }
}
