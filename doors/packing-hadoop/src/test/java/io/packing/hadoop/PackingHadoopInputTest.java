// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.FileAttributes;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;

final class PackingHadoopInputTest {
    private final Counting file = new Counting(200_000);

    /** A file whose byte at a position is the position; it counts reads and gives at most 100,000 bytes each. */
    private static final class Counting implements PackingInput {
        private final int length;
        private int reads;
        private boolean broken;

        Counting(int length) {
            this.length = length;
        }

        @Override
        public FileAttributes attributes() {
            return new FileAttributes(length, 0, "", "", 0644);
        }

        @Override
        public int read(long position, ByteBuffer into) throws IOException {
            reads++;
            if (position >= length) {
                return -1;
            }
            int n = Math.min(Math.min(100_000, into.remaining()), length - (int) position);
            for (int i = 0; i < n; i++) {
                into.put((byte) (position + i));
                if (broken) {
                    throw new IOException("broken");
                }
            }
            return n;
        }

        @Override
        public void close() {}
    }

    private PackingHadoopInput open() {
        return new PackingHadoopInput(file, 4_096, new FileSystem.Statistics("packing"));
    }

    @Test
    void aReaderOfSingleBytesAsksForThemInLargePieces() throws IOException {
        PackingHadoopInput input = open();
        for (int i = 0; i < file.length; i++) {
            assertThat(input.read()).isEqualTo(i & 0xff);
        }
        assertThat(input.read()).isEqualTo(-1);
        assertThat(file.reads).isEqualTo(5);
    }

    @Test
    void seeksInsideAPieceCostNothingAndPositionedReadsLeaveItAlone() throws IOException {
        PackingHadoopInput input = open();
        assertThat(input.read()).isZero();
        input.seek(60_000);
        assertThat(input.read()).isEqualTo(60_000 & 0xff);
        assertThat(file.reads).isEqualTo(1);
        assertThat(input.read(150_000, new byte[10], 0, 10)).isEqualTo(10);
        input.seek(3);
        assertThat(input.read()).isEqualTo(3);
        assertThat(file.reads).isEqualTo(2);
    }

    @Test
    void aLargeReadIsNotCopied() throws IOException {
        byte[] all = new byte[100_000];
        assertThat(open().read(all, 0, all.length)).isEqualTo(all.length);
        assertThat(all[99_999]).isEqualTo((byte) 99_999);
        assertThat(file.reads).isEqualTo(1);
    }

    @Test
    void whatAFailedReadLeftBehindIsNotGivenToTheNext() throws IOException {
        PackingHadoopInput input = open();
        file.broken = true;
        assertThatThrownBy(input::read).hasMessage("broken");
        file.broken = false;
        assertThat(input.read()).isZero();
        assertThat(input.read()).isEqualTo(1);
    }
}
