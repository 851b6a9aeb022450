// SPDX-License-Identifier: Apache-2.0
package io.packing.buffers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class SlicesTest {
    private static final int CAPACITY = 12;

    private static ByteBuffer buffer(int position, int limit) {
        ByteBuffer buffer = ByteBuffer.allocate(CAPACITY);
        for (byte i = 0; i < CAPACITY; i++) {
            buffer.put(i);
        }
        return buffer.limit(limit).position(position).order(ByteOrder.LITTLE_ENDIAN);
    }

    @Test
    void aPartIsThatOfJavaWhateverPositionAndLimitAre() {
        for (int limit = 0; limit <= CAPACITY; limit++) {
            for (int position = 0; position <= limit; position++) {
                ByteBuffer buffer = buffer(position, limit);
                for (int index = 0; index <= limit; index++) {
                    for (int length = 0; index + length <= limit; length++) {
                        ByteBuffer part = Slices.of(buffer, index, length);
                        ByteBuffer expected = buffer.slice(index, length);
                        assertThat(part).isEqualTo(expected);
                        assertThat(part.capacity()).isEqualTo(expected.capacity());
                        assertThat(part.order()).isEqualTo(expected.order());
                        assertThat(buffer).isEqualTo(buffer(position, limit));
                    }
                }
            }
        }
    }

    @Test
    void whatIsOutsideOfTheLimitIsRefused() {
        ByteBuffer buffer = buffer(1, 5);
        int[][] wrong = {{0, 6}, {5, 1}, {6, 0}, {-1, 2}, {2, -1}, {Integer.MAX_VALUE, 2}};
        for (int[] each : wrong) {
            assertThatThrownBy(() -> Slices.of(buffer, each[0], each[1])).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void aPartOfWhatMayNotBeWrittenMayNotEither() {
        assertThat(Slices.of(buffer(0, CAPACITY).asReadOnlyBuffer(), 3, 4).isReadOnly())
                .isTrue();
        assertThat(Slices.of(buffer(0, CAPACITY), 3, 4).put(0, (byte) 9).get(0)).isEqualTo((byte) 9);
    }
}
