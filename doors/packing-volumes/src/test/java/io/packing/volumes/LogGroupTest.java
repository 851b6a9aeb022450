// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of a group in the log. */
class LogGroupTest {
    private static final FilePath FILE = new FilePath("/group");
    private static final FileVersion VERSION = new FileVersion(7, 9);
    private static final List<WrittenPiece> PIECES = List.of(
            WrittenPiece.copy(512, ByteBuffer.wrap(new byte[] {1, 2, 3})),
            WrittenPiece.hole(4_096, 1L << 40),
            WrittenPiece.copy((1L << 41) + 1, ByteBuffer.wrap(new byte[] {4})));
    /** The bytes of data behind the header. */
    private static final int DATA = 4;

    @Test
    void whatIsReadIsWhatWasWritten() throws IOException {
        byte[] header = LogGroup.header(PIECES);
        assertEquals(header.length, LogGroup.headerBytes(FILE, Arrays.copyOf(header, LogGroup.FIRST_BYTES)));
        List<WrittenPiece> read = LogGroup.decode(FILE, VERSION, header, header.length + DATA);
        assertEquals(
                List.of(
                        WrittenPiece.logged(512, 3, new LogPlace(FILE, VERSION, header.length)),
                        WrittenPiece.hole(4_096, 1L << 40),
                        WrittenPiece.logged((1L << 41) + 1, 1, new LogPlace(FILE, VERSION, header.length + 3))),
                read);
        assertEquals(
                read.stream().map(WrittenPiece::place).toList(),
                LogGroup.placed(PIECES, FILE, VERSION).all().stream()
                        .map(WrittenPiece::place)
                        .toList());
    }

    @Test
    void eachFlippedBitOfAHeaderIsFound() {
        byte[] header = LogGroup.header(PIECES);
        for (int bit = 0; bit < header.length * Byte.SIZE; bit++) {
            byte[] flipped = header.clone();
            flipped[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertThrows(IOException.class, () -> read(flipped, flipped.length + DATA), "bit " + bit);
        }
    }

    @Test
    void aFileOfAnotherLengthIsFound() {
        byte[] header = LogGroup.header(PIECES);
        assertThrows(IOException.class, () -> read(header, header.length + DATA - 1));
        assertThrows(IOException.class, () -> read(header, header.length + DATA + 1));
    }

    /** Reads a header as a server does, whose length the first bytes say. */
    private static void read(byte[] header, long length) throws IOException {
        int bytes = LogGroup.headerBytes(FILE, Arrays.copyOf(header, LogGroup.FIRST_BYTES));
        List<WrittenPiece> unused = LogGroup.decode(FILE, VERSION, Arrays.copyOf(header, bytes), length);
    }
}
