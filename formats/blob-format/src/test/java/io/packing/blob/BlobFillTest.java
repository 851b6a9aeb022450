// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BlobFillTest {
    private static final long GIB = 1L << 30;

    @Test
    void aGigabyteOfFilesIsOneBlobWhateverTheirHeadersTake() {
        long header = 120;
        long files = GIB / 8_192;
        assertThat(BlobFill.isFull((files - 1) * 8_192.0, (files - 1) * (8_192.0 + header), GIB))
                .isFalse();
        assertThat(BlobFill.isFull(files * 8_192.0, files * (8_192.0 + header), GIB))
                .isTrue();
    }

    @Test
    void headersOfTinyFilesCountToo() {
        assertThat(BlobFill.isFull(GIB / 2.0, GIB + GIB / 16.0 - 1, GIB)).isFalse();
        assertThat(BlobFill.isFull(GIB / 2.0, GIB + GIB / 16.0, GIB)).isTrue();
        assertThat(BlobFill.isFull(0, 4, 3)).isTrue();
    }
}
