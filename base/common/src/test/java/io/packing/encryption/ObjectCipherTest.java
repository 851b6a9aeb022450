// SPDX-License-Identifier: Apache-2.0
package io.packing.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.encryption.ObjectCipher.Part;
import io.packing.encryption.ObjectCipher.Purpose;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import javax.crypto.AEADBadTagException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ObjectCipherTest {
    private static final byte[] ASSOCIATED = {1, 2, 3};

    @TempDir
    private Path directory;

    private Keystore keystore = Keystore.NONE;

    @BeforeEach
    void makeKeys() throws IOException {
        Path file = Files.writeString(directory.resolve("keys"), "small@0 " + "5a".repeat(32) + "\n");
        keystore = Keystores.open(file.toUri(), Optional.empty());
    }

    private ObjectCipher begin(Purpose purpose) throws IOException {
        return new DataKeys(keystore, "small", () -> 0).begin(purpose);
    }

    @Test
    void whatWasEncryptedIsDecryptedByTheRecord() throws Exception {
        Random random = Seed.random();
        ObjectCipher cipher = begin(Purpose.BLOB);
        ObjectCipher again =
                ObjectCipher.open(keystore, Purpose.BLOB, cipher.record()).orElseThrow();
        for (int length : new int[] {0, 1, 15, 16, 17, 8_192, 1 << 20}) {
            byte[] plain = new byte[length];
            random.nextBytes(plain);
            ByteBuffer direct = ByteBuffer.allocateDirect(length).put(plain).flip();
            ByteBuffer encrypted = cipher.encrypt(Part.EXTENT, length, ASSOCIATED, direct.asReadOnlyBuffer());
            assertThat(encrypted.remaining()).isEqualTo(length + ObjectCipher.TAG_BYTES);
            assertThat(again.decrypt(Part.EXTENT, length, ASSOCIATED, encrypted))
                    .isEqualTo(ByteBuffer.wrap(plain));
            assertThat(encrypted.position()).isZero();
        }
    }

    @Test
    void aPartIsAcceptedOnlyAsWhatItIs() throws Exception {
        ObjectCipher cipher = begin(Purpose.BLOB);
        ByteBuffer encrypted = cipher.encrypt(Part.EXTENT, 7, ASSOCIATED, ByteBuffer.wrap(new byte[100]));
        refused(cipher, Part.FOOTER, 7, ASSOCIATED, encrypted);
        refused(cipher, Part.EXTENT, 8, ASSOCIATED, encrypted);
        refused(cipher, Part.EXTENT, 7, new byte[] {1, 2, 4}, encrypted);
        refused(cipher, Part.EXTENT, 7, ASSOCIATED, encrypted.slice(0, 100));
        refused(cipher, Part.EXTENT, 7, ASSOCIATED, encrypted.slice(0, 15));
        refused(begin(Purpose.BLOB), Part.EXTENT, 7, ASSOCIATED, encrypted);
        assertThat(cipher.decrypt(Part.EXTENT, 7, ASSOCIATED, encrypted).remaining())
                .isEqualTo(100);
    }

    private static void refused(ObjectCipher cipher, Part part, long place, byte[] associated, ByteBuffer bytes) {
        assertThatThrownBy(() -> cipher.decrypt(part, place, associated, bytes))
                .isInstanceOf(AEADBadTagException.class);
    }

    @Test
    void everyFlippedBitAndEveryCutOfARecordIsRefused() throws IOException {
        byte[] record = begin(Purpose.BLOB).record();
        for (int bit = 0; bit < 8 * record.length; bit++) {
            record[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(opens(record)).as("bit %d", bit).isFalse();
            record[bit / 8] ^= (byte) (1 << bit % 8);
        }
        for (int length = 0; length < record.length; length++) {
            assertThat(opens(Arrays.copyOf(record, length)))
                    .as("%d bytes", length)
                    .isFalse();
        }
        assertThat(opens(Arrays.copyOf(record, record.length + 1))).isFalse();
        assertThat(opens(record)).isTrue();
        assertThat(ObjectCipher.open(keystore, Purpose.ROWS, record)).isEmpty();
    }

    private boolean opens(byte[] record) throws IOException {
        try {
            return ObjectCipher.open(keystore, Purpose.BLOB, record).isPresent();
        } catch (KeyUnavailableException e) {
            return false;
        }
    }

    /** The salts are 256 random bits each: with a counter or a clock in them a restarted process would repeat some. */
    @Test
    void noTwoObjectsHaveAKeyInCommon() throws IOException {
        Set<ByteBuffer> salts = new HashSet<>();
        Set<WrappedKey> wrapped = new HashSet<>();
        for (int process = 0; process < 20; process++) {
            DataKeys keys = new DataKeys(keystore, "small", () -> 0);
            for (int object = 0; object < 50; object++) {
                ObjectCipher cipher = keys.begin(Purpose.BLOB);
                salts.add(ByteBuffer.wrap(cipher.record(), 1, 32).slice());
                wrapped.add(cipher.wrapped());
            }
        }
        assertThat(salts).hasSize(1_000);
        assertThat(wrapped).hasSize(20);
    }
}
