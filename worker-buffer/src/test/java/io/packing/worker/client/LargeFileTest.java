// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.packing.blob.FileVersion;
import io.packing.seed.Seed;
import io.packing.worker.api.LeavingException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Large files on their way to workers, some of which have left and refuse them at once or later. */
class LargeFileTest {
    private static final FileVersion VERSION = new FileVersion(7, 8);
    private static final int NEVER = Integer.MAX_VALUE;

    /** A worker that refuses the file after so many calls, since it has left. */
    private static final class Worker implements LargeFile.WorkerStream {
        private final int refusesAfter;
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private int calls;
        private boolean aborted;

        Worker(int refusesAfter) {
            this.refusesAfter = refusesAfter;
        }

        private void call() throws LeavingException {
            if (calls++ >= refusesAfter) {
                throw new LeavingException("left");
            }
        }

        @Override
        public void write(ByteBuffer piece) throws IOException {
            call();
            byte[] bytes = new byte[piece.remaining()];
            piece.get(bytes);
            taken.write(bytes);
        }

        @Override
        public FileVersion finish() throws IOException {
            call();
            return VERSION;
        }

        @Override
        public void abort() {
            aborted = true;
        }
    }

    private final byte[] bytes = new byte[10 << 20];

    LargeFileTest() {
        new Random(Seed.value()).nextBytes(bytes);
    }

    private static LargeFile to(Worker... workers) {
        Deque<Worker> next = new ArrayDeque<>(List.of(workers));
        return new LargeFile(next::remove);
    }

    /** Writes a file in pieces whose bytes change after each; the last one is a finish. */
    private FileVersion write(LargeFile file, int pieceBytes, int length) throws IOException {
        byte[] reused = new byte[pieceBytes];
        int from = 0;
        for (; length - from > pieceBytes; from += pieceBytes) {
            System.arraycopy(bytes, from, reused, 0, pieceBytes);
            file.write(ByteBuffer.wrap(reused));
            Arrays.fill(reused, (byte) 0);
        }
        return file.finish(ByteBuffer.wrap(bytes, from, length - from));
    }

    @Test
    void aFileGoesToTheNextWorkerWheneverTheFirstOneSaysThatItHasLeft() throws IOException {
        int length = 350_000;
        for (int calls = 0; calls <= 4; calls++) {
            Worker left = new Worker(calls);
            Worker stays = new Worker(NEVER);
            assertThat(write(to(left, stays), 100_000, length)).isEqualTo(VERSION);
            assertThat(stays.taken.toByteArray()).as("after %d calls", calls).isEqualTo(Arrays.copyOf(bytes, length));
        }
    }

    @Test
    void aFileGoesPastSeveralWorkersThatHaveLeft() throws IOException {
        Worker stays = new Worker(NEVER);
        assertThat(write(to(new Worker(0), new Worker(1), new Worker(3), new Worker(0), stays), 100_000, 350_000))
                .isEqualTo(VERSION);
        assertThat(stays.taken.toByteArray()).isEqualTo(Arrays.copyOf(bytes, 350_000));
    }

    @Test
    void whatWasTakenForCertainIsNotKept() {
        LargeFile file = to(new Worker(6), new Worker(NEVER));
        assertThatExceptionOfType(LeavingException.class).isThrownBy(() -> write(file, 1 << 20, bytes.length));
    }

    @Test
    void whereAllWorkersHaveLeftTheLastOneIsHeard() {
        Worker[] workers = new Worker[20];
        Arrays.setAll(workers, i -> new Worker(0));
        assertThatExceptionOfType(LeavingException.class).isThrownBy(() -> write(to(workers), 100_000, 350_000));
    }

    @Test
    void aFileThatIsGivenUpIsGivenUpAtItsWorker() throws IOException {
        Worker worker = new Worker(NEVER);
        LargeFile file = to(worker);
        file.abort();
        assertThat(worker.aborted).isFalse();
        file.write(ByteBuffer.wrap(bytes, 0, 100));
        file.abort();
        assertThat(worker.aborted).isTrue();
    }
}
