// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FileRowTest {
    private static final FileRow ROW = new FileRow(
            7,
            3,
            new FilePath("/dir/naïve \uD83D\uDE00"),
            new FileAttributes(24, 1_700_000_000_000L, "owner", "", 0644),
            12,
            List.of(
                    new FileRow.Located(11, new Extent(0, 16, 100, 16, Codec.NONE, 0xcafe)),
                    new FileRow.Located(12, new Extent(16, 8, 1L << 40, 5, Codec.DEFLATE, -1))));

    @Test
    void whatIsWrittenIsRead() throws IOException {
        assertThat(FileRow.decode(7, ROW.encode())).isEqualTo(ROW);
    }

    @Test
    void everyTruncatedRowIsRefusedWithTheFileThatItIsOf() {
        byte[] whole = ROW.encode();
        for (int length = 0; length < whole.length; length++) {
            byte[] torn = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> FileRow.decode(7, torn))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("file 7");
        }
    }
}
