// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class AdoptedObjectTest {
    private static final AdoptedObject OBJECT = new AdoptedObject("bucket", "a/\u00e9 b", "\"e7ag-3\"", 12);

    private static Extent extent(ByteBuffer stored, int length) {
        return new ExtentCodec.Stored(Codec.ADOPTED, stored).at(0, length, 16);
    }

    @Test
    void theStoredBytesNameTheObject() throws IOException {
        ByteBuffer stored = OBJECT.encode();
        assertThat(ExtentCodec.adopted("b", extent(stored, 12), stored)).isEqualTo(OBJECT);
        assertThat(ExtentCodec.verify("b", extent(stored, 12), stored, Decoding.NONE))
                .isEqualTo(12);
        assertThat(OBJECT).hasToString("s3://bucket/a/\u00e9 b");
    }

    @Test
    void anExtentBehindTheObjectsEndIsCorrupt() {
        ByteBuffer stored = OBJECT.encode();
        assertThatThrownBy(() -> ExtentCodec.adopted("b", extent(stored, 13), stored))
                .isInstanceOf(CorruptBlobException.class)
                .hasMessageContaining("an object of 12 bytes badly");
    }

    /** With a right checksum: a writer's mistake, and no damage. */
    @Test
    void everyCutNameIsCorrupt() {
        ByteBuffer whole = OBJECT.encode();
        for (int length = 1; length < whole.limit(); length++) {
            ByteBuffer cut = whole.duplicate().limit(length).slice();
            assertThatThrownBy(() -> ExtentCodec.adopted("b", extent(cut, 12), cut))
                    .as("%d bytes", cut.limit())
                    .isInstanceOf(CorruptBlobException.class);
        }
    }

    @Test
    void textThatIsNoUtf8AndUnknownKindsAreCorrupt() {
        for (int at : new int[] {0, 11}) {
            ByteBuffer wrong = OBJECT.encode();
            wrong.put(at, (byte) 0xff);
            assertThatThrownBy(() -> ExtentCodec.adopted("b", extent(wrong, 12), wrong))
                    .isInstanceOf(CorruptBlobException.class);
        }
    }

    @Test
    void aBlobReaderSaysWhereTheBytesAre() throws IOException {
        BlobReader reader = BlobReader.open(new BytesSource(GoldenBlobs.bytes("v4/adopted")));
        PackedFile file = reader.footer()
                .find(new FilePath("/photos/\u00e9t\u00e9 1.jpg"))
                .orElseThrow();
        assertThat(reader.footer().version()).isEqualTo(BlobHeader.VERSION_4);
        assertThatThrownBy(() -> reader.readExtent(file.extents().get(0)))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(CorruptBlobException.class)
                .hasMessageContaining("they are in s3://bucket/photos/\u00e9t\u00e9 1.jpg");
    }

    @Test
    void namesThatNoStoreHasAreRefused() {
        assertThatThrownBy(() -> new AdoptedObject("", "k", "v", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AdoptedObject("b", "k", "v", 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AdoptedObject("b", "\ud800", "v", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new AdoptedObject("b", "k".repeat(4_097), "v", 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
