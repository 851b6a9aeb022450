// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class RecordsTest {
    @Test
    void anExtentThatCannotBeIsRefused() {
        refused(() -> extent(-1, 1, 16, 1));
        refused(() -> extent(0, 0, 16, 0));
        refused(() -> extent(0, Extent.MAX_LENGTH + 1, 16, Extent.MAX_LENGTH + 1));
        refused(() -> extent(Long.MAX_VALUE, 1, 16, 1));
        refused(() -> extent(0, 1, Long.MAX_VALUE, 1));
        refused(() -> extent(0, 1, -1, 1));
        refused(() -> extent(0, 2, 16, 1));
        assertThat(new Extent(0, 2, 16, 1, Codec.DEFLATE, 0).blobEnd()).isEqualTo(17);
    }

    @Test
    void aFileWhoseExtentsDoNotFitIsRefused() {
        refused(() -> packed(10, List.of(extent(0, 11, 16, 11))));
        refused(() -> packed(10, List.of(extent(0, 5, 16, 5), extent(4, 5, 21, 5))));
        refused(() -> packed(10, List.of(extent(5, 5, 16, 5), extent(0, 5, 21, 5))));
        assertThat(packed(10, List.of(extent(5, 5, 16, 5))).extents()).hasSize(1);
    }

    @Test
    void attributesThatAFooterCannotHoldAreRefused() {
        refused(() -> new FileAttributes(-1, 0, "", "", 0));
        refused(() -> new FileAttributes(0, 0, "", "", 0100644));
        refused(() -> new FileAttributes(0, 0, "", "", 0040755));
        refused(() -> new FileAttributes(0, 0, "", "", 0200000));
        assertThat(new FileAttributes(0, 0, "", "", 0120777).permissions()).isEqualTo(0777);
        refused(() -> new FileAttributes(0, 0, "\uD83D", "", 0));
        refused(() -> new FileAttributes(0, 0, "", "\uDE00x", 0));
        refused(() -> new FileAttributes(0, 0, "x".repeat(1025), "", 0));
        refused(() -> new FileAttributes(0, 0, "", "\u00e9".repeat(513), 0));
        String longest = "\uD83D\uDE00".repeat(256);
        assertThat(new FileAttributes(0, Long.MIN_VALUE, longest, "", 07777).owner())
                .isEqualTo(longest);
    }

    private static Extent extent(long fileOffset, int length, long blobOffset, int storedLength) {
        return new Extent(fileOffset, length, blobOffset, storedLength, Codec.NONE, 0);
    }

    private static PackedFile packed(long length, List<Extent> extents) {
        return new PackedFile(
                new FileVersion(1, 1), new FilePath("/a"), new FileAttributes(length, 0, "", "", 0), extents);
    }

    private static void refused(ThrowingCallable attempt) {
        assertThatThrownBy(attempt).isInstanceOf(IllegalArgumentException.class);
    }
}
