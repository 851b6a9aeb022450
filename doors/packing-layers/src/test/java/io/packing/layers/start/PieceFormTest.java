// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.seed.Seed;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Pieces of starts, compressed where that pays. */
class PieceFormTest {
    private static final int LENGTH = 300_000;

    private final Random random = Seed.random();

    private byte[] text() {
        byte[] text = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++) {
            text[i] = (byte) ('a' + random.nextInt(4));
        }
        return text;
    }

    @Test
    void whatCanBeCompressedIsSmallerAndComesBack() throws Exception {
        byte[] text = text();
        PieceForm.Encoded encoded = PieceForm.encode(text);
        assertThat(encoded.form()).isEqualTo(PieceForm.ZSTD);
        assertThat(encoded.bytes().remaining()).isLessThan(LENGTH / 2);
        assertThat(encoded.form().decode(encoded.bytes().array(), LENGTH).array())
                .isEqualTo(text);
    }

    @Test
    void whatCannotBeCompressedIsStoredAsItIs() throws Exception {
        byte[] noise = new byte[LENGTH];
        random.nextBytes(noise);
        PieceForm.Encoded encoded = PieceForm.encode(noise);
        assertThat(encoded.form()).isEqualTo(PieceForm.PLAIN);
        assertThat(encoded.form().decode(encoded.bytes().array(), LENGTH).array())
                .isEqualTo(noise);
    }

    @Test
    void bytesOfAnotherLengthAndDamagedOnesAreRefused() {
        byte[] stored = PieceForm.encode(text()).bytes().array();
        for (int length : new int[] {0, LENGTH - 1, LENGTH + 1}) {
            assertThatThrownBy(() -> PieceForm.ZSTD.decode(stored, length)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> PieceForm.PLAIN.decode(new byte[LENGTH], length))
                    .isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> PieceForm.ZSTD.decode(Arrays.copyOf(stored, stored.length / 2), LENGTH))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> PieceForm.ZSTD.decode(new byte[stored.length], LENGTH))
                .isInstanceOf(IOException.class);
    }
}
