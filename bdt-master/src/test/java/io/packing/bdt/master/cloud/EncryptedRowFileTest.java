// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.encryption.KeyUnavailableException;
import io.packing.encryption.Keystore;
import io.packing.encryption.Keystores;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backups and journals of an encrypted mount, against an attacker who changes them and corrects their checksum. */
class EncryptedRowFileTest {
    private static final long POSITION = 77;

    @TempDir
    private Path directory;

    private final Random random = Seed.random();
    private final List<byte[]> rows = new ArrayList<>();
    private Keystore keystore = Keystore.NONE;
    private MountKeys keys = MountKeys.none();

    @BeforeEach
    void makeKeys() throws IOException {
        Path file = Files.writeString(directory.resolve("keys"), "small@0 " + "3c".repeat(32) + "\n");
        keystore = Keystores.open(file.toUri(), Optional.empty());
        keys = new MountKeys(keystore, () -> 0);
        keys.use("small");
    }

    /** Rows that hardly compress: as many pieces as they have 64 KiB. */
    private byte[] file(int count) throws IOException {
        Path path = directory.resolve("rows");
        rows.clear();
        try (RowFile.Writer writer = new RowFile.Writer(path, bytes -> {}, keys.rows())) {
            for (int i = 0; i < count; i++) {
                byte[] value = new byte[1_000];
                random.nextBytes(value);
                byte[] name = "topsecret".getBytes(StandardCharsets.US_ASCII);
                System.arraycopy(name, 0, value, 0, name.length);
                rows.add(value);
                writer.row(ByteBuffer.allocate(4).putInt(i).array(), value);
            }
            writer.finish(POSITION);
        }
        return Files.readAllBytes(path);
    }

    private List<byte[]> read(byte[] bytes, Keystore with) throws IOException {
        Path path = Files.write(directory.resolve("again"), bytes);
        List<byte[]> values = new ArrayList<>();
        assertThat(RowFile.read(path, with, (key, value) -> values.add(value.clone())))
                .isEqualTo(POSITION);
        return values;
    }

    @Test
    void rowsAreReadByWhoeverHasTheKeyAndTellNothingToOthers() throws IOException {
        for (int count : new int[] {0, 1, 400}) {
            byte[] bytes = file(count);
            assertThat(read(bytes, keystore)).usingRecursiveComparison().isEqualTo(rows);
            assertThat(new String(bytes, StandardCharsets.ISO_8859_1)).doesNotContain("topsecret");
            assertThatThrownBy(() -> read(bytes, Keystore.NONE))
                    .isInstanceOf(KeyUnavailableException.class)
                    .hasMessageContaining("small@0");
        }
    }

    @Test
    void everyFlippedBitIsFoundWhateverTheChecksum() throws IOException {
        byte[] bytes = file(1);
        for (int bit = 0; bit < 8 * (bytes.length - 4); bit += bit < 2_000 ? 1 : 5) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            byte[] forged = mended(bytes);
            assertThatThrownBy(() -> read(forged, keystore))
                    .as("bit %d", bit)
                    .isInstanceOfAny(RowFile.DamagedException.class, KeyUnavailableException.class);
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Test
    void piecesThatAreLeftOutRepeatedOrExchangedAreFound() throws IOException {
        byte[] bytes = file(400);
        List<byte[]> pieces = new ArrayList<>();
        ByteBuffer all = ByteBuffer.wrap(bytes);
        int start = 12 + all.getInt(8);
        for (int at = start; at < bytes.length - 20; at += 4 + all.getInt(at)) {
            pieces.add(Arrays.copyOfRange(bytes, at, at + 4 + all.getInt(at)));
        }
        assertThat(pieces).hasSizeGreaterThan(4);
        int last = pieces.size() - 1;
        refused(bytes, start, pieces.subList(0, last));
        refused(bytes, start, pieces.subList(1, pieces.size()));
        refused(bytes, start, List.of(pieces.get(last)));
        refused(bytes, start, List.of());
        List<byte[]> exchanged = new ArrayList<>(pieces);
        exchanged.set(0, pieces.get(1));
        exchanged.set(1, pieces.get(0));
        refused(bytes, start, exchanged);
        List<byte[]> longer = new ArrayList<>(pieces);
        longer.add(pieces.get(last));
        refused(bytes, start, longer);
        List<byte[]> ofAnother = new ArrayList<>(pieces);
        byte[] other = file(400);
        int from = 12 + ByteBuffer.wrap(other).getInt(8);
        ofAnother.set(
                0,
                Arrays.copyOfRange(
                        other, from, from + 4 + ByteBuffer.wrap(other).getInt(from)));
        refused(bytes, start, ofAnother);
    }

    private void refused(byte[] bytes, int start, List<byte[]> pieces) {
        int size = pieces.stream().mapToInt(piece -> piece.length).sum();
        ByteBuffer forged = ByteBuffer.allocate(start + size + 20).put(bytes, 0, start);
        pieces.forEach(forged::put);
        byte[] whole = forged.put(bytes, bytes.length - 20, 20).array();
        assertThatThrownBy(() -> read(mended(whole), keystore)).isInstanceOf(IOException.class);
    }

    @Test
    void aFileInPlainIsWrittenAsBefore() throws IOException {
        Path path = directory.resolve("plain");
        try (RowFile.Writer writer =
                new RowFile.Writer(path, bytes -> {}, MountKeys.none().rows())) {
            writer.row(new byte[] {1}, new byte[] {2});
            writer.finish(POSITION);
        }
        assertThat(ByteBuffer.wrap(Files.readAllBytes(path)).getInt(4)).isEqualTo(1);
        assertThat(read(Files.readAllBytes(path), Keystore.NONE)).hasSize(1);
    }

    private static byte[] mended(byte[] bytes) {
        byte[] copy = bytes.clone();
        CRC32C crc = new CRC32C();
        crc.update(copy, 0, copy.length - 4);
        ByteBuffer.wrap(copy).putInt(copy.length - 4, (int) crc.getValue());
        return copy;
    }
}
