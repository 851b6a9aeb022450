// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.packing.seed.Seed;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Pieces over pieces, beside an array. */
class WrittenRangesTest {
    private static final int SIZE = 300;

    @Test
    void theLastWriteDecides() {
        Random random = Seed.random();
        for (int round = 0; round < 200; round++) {
            WrittenRanges ranges = new WrittenRanges();
            int[] model = new int[SIZE];
            Arrays.fill(model, -1);
            for (int i = 0; i < 40; i++) {
                int offset = random.nextInt(SIZE);
                byte[] bytes = new byte[1 + random.nextInt(Math.min(40, SIZE - offset))];
                boolean isHole = random.nextInt(3) == 0;
                if (!isHole) {
                    random.nextBytes(bytes);
                }
                ranges.put(
                        isHole
                                ? WrittenPiece.hole(offset, bytes.length)
                                : WrittenPiece.copy(offset, ByteBuffer.wrap(bytes)));
                for (int j = 0; j < bytes.length; j++) {
                    model[offset + j] = isHole ? 1_000 : bytes[j];
                }
            }
            int from = random.nextInt(SIZE);
            int end = from + 1 + random.nextInt(SIZE - from);
            assertArrayEquals(Arrays.copyOfRange(model, from, end), seen(ranges, from, end));
            long data = Arrays.stream(model)
                    .filter(value -> value >= -128 && value < 128 && value != -1)
                    .count();
            long ones = seenOnes(ranges);
            assertEquals(data + ones, ranges.dataBytes());
        }
    }

    private static int[] seen(WrittenRanges ranges, int from, int end) {
        int[] seen = new int[end - from];
        Arrays.fill(seen, -1);
        List<WrittenPiece> pieces = new ArrayList<>();
        ranges.addWithin(from, end, pieces);
        long last = from;
        for (WrittenPiece piece : pieces) {
            assertEquals(Math.max(last, piece.offset()), piece.offset());
            last = piece.end();
            for (int i = 0; i < piece.length(); i++) {
                seen[(int) piece.offset() - from + i] =
                        piece.isHole() ? 1_000 : piece.bytes().get(i);
            }
        }
        return seen;
    }

    /** Counts the bytes -1 in data, which look as bytes that were never written. */
    private static long seenOnes(WrittenRanges ranges) {
        long count = 0;
        for (WrittenPiece piece : ranges.all()) {
            for (int i = 0; i < piece.bytes().limit(); i++) {
                count += piece.bytes().get(i) == -1 ? 1 : 0;
            }
        }
        return count;
    }
}
