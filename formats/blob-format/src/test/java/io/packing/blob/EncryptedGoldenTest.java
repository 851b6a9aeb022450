// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.encryption.KeyUnavailableException;
import io.packing.encryption.Keystore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EncryptedGoldenTest {
    @TempDir
    private Path directory;

    static Set<String> names() {
        return EncryptedGoldens.all().keySet();
    }

    /** With the golden's own key; except for the footer, since builds of zlib differ in their output. */
    @ParameterizedTest
    @MethodSource("names")
    void theWriterStillWritesTheGolden(String name) throws Exception {
        byte[] golden = EncryptedGoldens.bytes(name);
        BlobKey key = BlobKey.read(new BytesSource(golden), end(golden), EncryptedGoldens.keystore());
        byte[] written = EncryptedGoldens.blob(directory, name, key);
        assertThat(end(written)).isEqualTo(end(golden));
        assertThat(Arrays.copyOf(written, (int) end(golden))).isEqualTo(Arrays.copyOf(golden, (int) end(golden)));
        assertThat(BlobReader.open(new BytesSource(written), EncryptedGoldens.keystore())
                        .footer())
                .containsExactlyElementsOf(BlobReader.open(new BytesSource(golden), EncryptedGoldens.keystore())
                        .footer());
    }

    @Test
    void theReaderReadsTheGoldens() throws IOException {
        assertThat(contents("v3/encrypted"))
                .isEqualTo(Map.of(
                        "/hello.txt", "hello, world\n",
                        "/empty", "",
                        "/deflated", GoldenBlobs.PACKING,
                        "/large", "second slice"));
        assertThat(contents("v3/dictionary"))
                .isEqualTo(Map.of("/trained", GoldenBlobs.JSON, "/frame", GoldenBlobs.PACKING, "/plain", "plain"));
        assertThat(contents("v3/empty")).isEmpty();
    }

    private static Map<String, String> contents(String name) throws IOException {
        BytesSource source = new BytesSource(EncryptedGoldens.bytes(name));
        BlobReader reader = BlobReader.open(source, EncryptedGoldens.keystore());
        VerifiedBlob verified = BlobVerifier.verify(source, EncryptedGoldens.keystore());
        assertThat(verified.files()).isEqualTo(reader.footer().fileCount());
        Map<String, String> contents = new HashMap<>();
        for (PackedFile file : reader.footer()) {
            StringBuilder text = new StringBuilder();
            for (Extent extent : file.extents()) {
                assertThat(extent.codec().isEncrypted()).isTrue();
                text.append(StandardCharsets.UTF_8.decode(
                        reader.readExtent(file.version().id(), extent)));
            }
            contents.put(file.path().value(), text.toString());
        }
        return contents;
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyFlippedBitIsDetected(String name) throws IOException {
        Keystore keystore = EncryptedGoldens.keystore();
        byte[] blob = EncryptedGoldens.bytes(name);
        for (int bit = 0; bit < blob.length * 8; bit++) {
            blob[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> BlobVerifier.verify(new BytesSource(blob), keystore))
                    .as("bit " + bit)
                    .isInstanceOf(CorruptBlobException.class);
            blob[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyTruncationIsDetected(String name) throws IOException {
        Keystore keystore = EncryptedGoldens.keystore();
        byte[] blob = EncryptedGoldens.bytes(name);
        for (int length = 0; length < blob.length; length++) {
            byte[] first = Arrays.copyOf(blob, length);
            byte[] last = Arrays.copyOfRange(blob, blob.length - length, blob.length);
            for (byte[] cut : new byte[][] {first, last}) {
                assertThatThrownBy(() -> BlobVerifier.verify(new BytesSource(cut), keystore))
                        .as("%d bytes", length)
                        .isInstanceOf(CorruptBlobException.class);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void aReaderWithoutTheKeySaysWhichItNeeds(String name) {
        BytesSource source = new BytesSource(EncryptedGoldens.bytes(name));
        assertThatThrownBy(() -> BlobReader.open(source))
                .isInstanceOf(KeyUnavailableException.class)
                .hasMessageContaining("blob-under-test")
                .hasMessageContaining("golden@1")
                .hasMessageContaining("packing.encryption.keystore");
    }

    /** An encrypted blob contains no names, no contents and none of their common parts. */
    @Test
    void anEncryptedBlobTellsNothing() {
        for (String name : names()) {
            String all = new String(EncryptedGoldens.bytes(name), StandardCharsets.ISO_8859_1);
            assertThat(all).doesNotContain("hello", "large", "alice", "staff", "plain", "worker", "packing p");
        }
    }

    /** Only a reader with the key can find the inflated footer. */
    @Test
    void eachBlobHasAKeyOfItsOwn() throws IOException {
        BlobKey one = BlobKey.begin(EncryptedGoldens.dataKeys());
        BlobKey other = BlobKey.begin(EncryptedGoldens.dataKeys());
        byte[] first = EncryptedGoldens.blob(directory, "v3/encrypted", one);
        byte[] second = EncryptedGoldens.blob(directory, "v3/encrypted", other);
        int body = 16 + one.sectionBytes();
        assertThat(Arrays.copyOfRange(first, body, (int) end(first)))
                .isNotEqualTo(Arrays.copyOfRange(second, body, (int) end(second)));
        assertThat(one.wrapped().version()).isEqualTo("golden@1");
        assertThat(one.wrapped()).isNotEqualTo(other.wrapped());
        assertThat(Optional.of(one.wrapped().name())).contains(EncryptedGoldens.KEY);
    }

    private static long end(byte[] blob) throws CorruptBlobException {
        ByteBuffer end = ByteBuffer.wrap(blob, blob.length - BlobTrailer.SIZE, BlobTrailer.SIZE)
                .order(ByteOrder.LITTLE_ENDIAN);
        return BlobTrailer.parse("golden", blob.length, end).footerOffset();
    }
}
