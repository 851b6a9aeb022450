// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.RangeSource;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WindowedSourceTest {
    private final List<Long> fetched = new ArrayList<>();

    /** A hundred bytes, each its own offset. */
    private final RangeSource hundred = new RangeSource() {
        @Override
        public String name() {
            return "hundred";
        }

        @Override
        public long length() {
            return 100;
        }

        @Override
        public ByteBuffer read(long offset, int length) throws IOException {
            if (offset + length > 100) {
                throw new EOFException("past the end");
            }
            ByteBuffer bytes = ByteBuffer.allocate(length);
            for (int i = 0; i < length; i++) {
                bytes.put((byte) (offset + i));
            }
            return bytes.flip();
        }
    };

    private final WindowedSource windowed = new WindowedSource(hundred, 40, fetched::add);

    @Test
    void readsInOrderShareARequest() throws IOException {
        for (int at = 0; at < 100; at += 10) {
            assertThat(windowed.read(at, 10)).isEqualTo(hundred.read(at, 10));
        }
        assertThat(fetched).containsExactly(40L, 40L, 20L);
    }

    @Test
    void readsThatDoNotFitHaveTheirOwnRequest() throws IOException {
        assertThat(windowed.read(0, 10)).isEqualTo(hundred.read(0, 10));
        assertThat(windowed.read(5, 60)).isEqualTo(hundred.read(5, 60));
        assertThat(windowed.read(10, 30)).isEqualTo(hundred.read(10, 30));
        assertThat(windowed.read(35, 10)).isEqualTo(hundred.read(35, 10));
        assertThat(fetched).containsExactly(40L, 60L, 40L);
    }

    @Test
    void aWindowThatWasDamagedIsNotReadFromAgain() throws IOException {
        assertThat(windowed.read(0, 10)).isEqualTo(hundred.read(0, 10));
        assertThat(windowed.readAgain(5, 10)).isEqualTo(hundred.read(5, 10));
        assertThat(windowed.read(10, 10)).isEqualTo(hundred.read(10, 10));
        assertThat(fetched).containsExactly(40L, 10L, 40L);
    }

    @Test
    void theEndIsTheSources() {
        assertThatThrownBy(() -> windowed.read(95, 10)).isInstanceOf(EOFException.class);
    }
}
