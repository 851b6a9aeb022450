// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.encryption.KeyUnavailableException;
import io.packing.encryption.Keystore;
import io.packing.encryption.Keystores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of an attacker who can write into the store, has no key, and sets every checksum right. */
class EncryptedHostileTest {
    private static final int SECTION = BlobHeader.SIZE;
    private static final int RECORD = SECTION + 12;

    @TempDir
    private Path directory;

    private Keystore keystore = Keystore.NONE;
    private Optional<BlobKey> key = Optional.empty();
    private byte[] blob = new byte[0];
    private PackedFile one = TestFiles.file(1, "/none", List.of());
    private PackedFile other = one;

    @BeforeEach
    void write() throws IOException {
        keystore = EncryptedGoldens.keystore();
        BlobKey own = BlobKey.begin(EncryptedGoldens.dataKeys());
        key = Optional.of(own);
        blob = EncryptedGoldens.blob(
                directory,
                bytes -> ExtentCodec.encode(Codec.NONE, bytes),
                own,
                writer -> List.of(
                        TestFiles.add(writer, 1, "/one", "the first file".getBytes(StandardCharsets.US_ASCII)),
                        TestFiles.add(writer, 2, "/two", "the second one".getBytes(StandardCharsets.US_ASCII))));
        List<PackedFile> files = BlobReader.open(new BytesSource(blob), keystore).footer().stream()
                .toList();
        one = files.get(0);
        other = files.get(1);
    }

    private static Extent extent(PackedFile file) {
        return file.extents().get(0);
    }

    private static ByteBuffer stored(byte[] from, Extent extent) {
        return ByteBuffer.wrap(from, (int) extent.blobOffset(), extent.storedLength());
    }

    private ByteBuffer decode(long fileId, Extent extent, ByteBuffer stored) throws CorruptBlobException {
        Extent checked = new Extent(
                extent.fileOffset(),
                extent.length(),
                extent.blobOffset(),
                extent.storedLength(),
                extent.codec(),
                ExtentCodec.crc32c(stored));
        return ExtentCodec.decode("blob", checked, stored, new Decoding(fileId, key, Optional.empty()));
    }

    @Test
    void anExtentIsAcceptedOnlyAtItsPlaceForItsFileAndRange() throws IOException {
        Extent extent = extent(one);
        ByteBuffer stored = stored(blob, extent);
        assertThat(decode(1, extent, stored))
                .isEqualTo(ByteBuffer.wrap("the first file".getBytes(StandardCharsets.US_ASCII)));
        // The bytes of another extent of equal length, and these as another file's.
        refused(1, extent, stored(blob, extent(other)));
        refused(2, extent, stored);
        refused(1, at(extent, extent.fileOffset(), extent(other).blobOffset(), extent.codec()), stored);
        refused(1, at(extent, 14, extent.blobOffset(), extent.codec()), stored);
        refused(1, at(extent, 0, extent.blobOffset(), Codec.AES_DEFLATE), stored);
    }

    private static Extent at(Extent extent, long fileOffset, long blobOffset, Codec codec) {
        return new Extent(fileOffset, extent.length(), blobOffset, extent.storedLength(), codec, 0);
    }

    private void refused(long fileId, Extent extent, ByteBuffer stored) {
        assertThatThrownBy(() -> decode(fileId, extent, stored))
                .isInstanceOf(CorruptBlobException.class)
                .hasMessageContaining("moved, exchanged or forged");
    }

    @Test
    void everyFlippedBitOfAnExtentIsFoundWhateverItsChecksum() throws IOException {
        Extent extent = extent(one);
        byte[] bytes = new byte[extent.storedLength()];
        stored(blob, extent).get(bytes);
        for (int bit = 0; bit < 8 * bytes.length; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            refused(1, extent, ByteBuffer.wrap(bytes));
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Test
    void everyFlippedBitOfTheKeySectionIsFoundWhateverItsChecksums() {
        int length = little(blob).getInt(SECTION);
        for (int bit = 0; bit < 8 * length; bit++) {
            byte[] forged = blob.clone();
            forged[RECORD + bit / 8] ^= (byte) (1 << bit % 8);
            mendSection(forged, length);
            assertThatThrownBy(() -> BlobVerifier.verify(new BytesSource(forged), keystore))
                    .as("bit %d", bit)
                    .isInstanceOfAny(CorruptBlobException.class, KeyUnavailableException.class);
        }
    }

    /** The whole record of another blob is sound, but its key has encrypted none of the bytes behind it. */
    @Test
    void theKeySectionOfAnotherBlobIsRefused() throws IOException {
        byte[] before = EncryptedGoldens.blob(
                directory,
                bytes -> ExtentCodec.encode(Codec.NONE, bytes),
                BlobKey.begin(EncryptedGoldens.dataKeys()),
                writer -> List.of(
                        TestFiles.add(writer, 1, "/one", "what it was before".getBytes(StandardCharsets.US_ASCII))));
        int length = little(blob).getInt(SECTION);
        assertThat(little(before).getInt(SECTION)).isEqualTo(length);
        System.arraycopy(before, SECTION, blob, SECTION, 12 + length);
        assertThatThrownBy(() -> BlobReader.open(new BytesSource(blob), keystore))
                .isInstanceOf(CorruptBlobException.class)
                .hasMessageContaining("exchanged or forged");
    }

    /** The attack replaces only the wrapped key by that of an older blob, which the named key unwraps, too. */
    @Test
    void aRolledBackWrappedKeyIsRefused() throws IOException {
        byte[] older = BlobKey.begin(EncryptedGoldens.dataKeys()).section().array();
        int length = little(blob).getInt(SECTION);
        int wrapped = RECORD + length - 16 - 60;
        System.arraycopy(older, wrapped - SECTION, blob, wrapped, 60);
        mendSection(blob, length);
        assertThatThrownBy(() -> BlobReader.open(new BytesSource(blob), keystore))
                .isInstanceOf(CorruptBlobException.class)
                .hasMessageContaining("the key section is not as it was written");
    }

    @Test
    void everyFlippedBitOfFooterAndTrailerIsFoundWhateverTheChecksums() {
        BlobTrailer trailer = trailer();
        int from = (int) trailer.footerOffset();
        for (int bit = 0; bit < 8 * (blob.length - from); bit++) {
            byte[] forged = blob.clone();
            forged[from + bit / 8] ^= (byte) (1 << bit % 8);
            mendEnd(forged, from);
            if (Arrays.equals(forged, blob)) {
                // A checksum that was set right again.
                continue;
            }
            assertThatThrownBy(() -> BlobVerifier.verify(new BytesSource(forged), keystore))
                    .as("bit %d", bit)
                    .isInstanceOf(CorruptBlobException.class);
        }
    }

    /** A changed version does not make an encrypted blob a plain one. */
    @Test
    void aFooterInPlainIsRefusedInAnEncryptedBlobAndTheOtherWay() throws IOException {
        byte[] plain = TestFiles.blob(
                directory,
                Codec.NONE,
                writer -> List.of(
                        TestFiles.add(writer, 1, "/one", "forged in plain".getBytes(StandardCharsets.US_ASCII))));
        int footer = (int) little(plain).getLong(plain.length - BlobTrailer.SIZE);
        byte[] forged = plain.clone();
        little(forged).put(BlobHeader.bytes(BlobHeader.VERSION_3)).putShort(plain.length - 12, (short)
                BlobHeader.VERSION_3);
        mendEnd(forged, footer);
        assertThatThrownBy(() -> BlobReader.open(new BytesSource(forged), keystore))
                .isInstanceOf(CorruptBlobException.class);
        // If the table says that the extent is encrypted, the reader takes no plain bytes.
        Extent wanted = extent(one);
        refused(1, wanted, ByteBuffer.wrap(new byte[wanted.storedLength()]));
    }

    @Test
    void anotherKeyUnderTheSameNameIsToldFromDamage() throws IOException {
        Path file = Files.writeString(
                directory.resolve("keys"), "golden@1 " + "ab".repeat(32) + "\ngolden@0 " + "cd".repeat(32) + "\n");
        Keystore wrong = Keystores.open(file.toUri(), Optional.empty());
        assertThatThrownBy(() -> BlobReader.open(new BytesSource(blob), wrong))
                .isInstanceOf(KeyUnavailableException.class)
                .hasMessageContaining("another key as golden@1");
        Files.writeString(file, "golden@0 " + "cd".repeat(32) + "\n");
        Keystore without = Keystores.open(file.toUri(), Optional.empty());
        assertThatThrownBy(() -> BlobReader.open(new BytesSource(blob), without))
                .isInstanceOf(KeyUnavailableException.class)
                .hasMessageContaining("no version golden@1 of key golden");
    }

    @Test
    void damagedBytesAreNotEncryptedAsIfTheyWereSound() throws IOException {
        byte[] sound = "sound".getBytes(StandardCharsets.US_ASCII);
        byte[] damaged = "sounx".getBytes(StandardCharsets.US_ASCII);
        Extent extent = new ExtentCodec.Stored(Codec.NONE, ByteBuffer.wrap(sound)).at(0, sound.length, 0);
        BlobKey own = BlobKey.begin(EncryptedGoldens.dataKeys());
        ExtentEncoder encoder = bytes -> ExtentCodec.encode(Codec.NONE, bytes);
        assertThatThrownBy(() -> EncryptedGoldens.blob(
                        directory,
                        encoder,
                        own,
                        writer -> List.of(
                                TestFiles.file(1, "/f", List.of(writer.copy(1, extent, ByteBuffer.wrap(damaged)))))))
                .isInstanceOf(CorruptBlobException.class);
    }

    /** The verifier decrypts one extent in sixteen; checksums find a disk's damage to the others. */
    @Test
    void damageOfABlobThatWasJustWrittenIsFoundWhereverItIs() throws IOException {
        byte[] many = EncryptedGoldens.blob(
                directory,
                bytes -> ExtentCodec.encode(Codec.NONE, bytes),
                BlobKey.begin(EncryptedGoldens.dataKeys()),
                writer -> {
                    List<PackedFile> files = new ArrayList<>();
                    for (int i = 1; i <= 40; i++) {
                        files.add(TestFiles.add(writer, i, "/f" + i, new byte[20]));
                    }
                    return files;
                });
        assertThat(BlobVerifier.verifyOwn(new BytesSource(many), keystore))
                .isEqualTo(BlobVerifier.verify(new BytesSource(many), keystore));
        for (int at = 0; at < many.length; at++) {
            many[at] ^= 4;
            assertThatThrownBy(() -> BlobVerifier.verifyOwn(new BytesSource(many), keystore))
                    .as("byte %d", at)
                    .isInstanceOf(CorruptBlobException.class);
            many[at] ^= 4;
        }
    }

    private BlobTrailer trailer() {
        try {
            return BlobTrailer.parse(
                    "blob",
                    blob.length,
                    ByteBuffer.wrap(blob, blob.length - BlobTrailer.SIZE, BlobTrailer.SIZE)
                            .slice());
        } catch (CorruptBlobException e) {
            throw new AssertionError(e);
        }
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void mendSection(byte[] bytes, int length) {
        ByteBuffer all = little(bytes);
        all.putInt(SECTION + 4, ExtentCodec.crc32c(ByteBuffer.wrap(bytes, RECORD, length)));
        all.putInt(SECTION + 8, ExtentCodec.crc32c(ByteBuffer.wrap(bytes, SECTION, 8)));
    }

    private static void mendEnd(byte[] bytes, int footer) {
        ByteBuffer all = little(bytes);
        int trailer = bytes.length - BlobTrailer.SIZE;
        all.putInt(trailer + 20, ExtentCodec.crc32c(ByteBuffer.wrap(bytes, footer, trailer - footer)));
        all.putInt(
                trailer + BlobTrailer.CRC_AT, ExtentCodec.crc32c(ByteBuffer.wrap(bytes, trailer, BlobTrailer.CRC_AT)));
    }
}
