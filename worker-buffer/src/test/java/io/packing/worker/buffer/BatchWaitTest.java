// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

class BatchWaitTest {
    private static final long IDLE = 1_000;
    private static final long BUSY = 3_000_000;

    private long nanos = Long.MAX_VALUE - 1;
    private long turn = BUSY;
    private int yields;
    private int naps;
    private boolean closing = true;
    private boolean othersBusy = true;
    private BooleanSupplier all = () -> false;
    private final BatchWait gathering = new BatchWait(this::stepAside, this::nap, () -> othersBusy, () -> nanos);

    private void gather(IntSupplier take) {
        gather(take, () -> false);
    }

    private void gather(IntSupplier take, BooleanSupplier full) {
        gathering.gather(new BatchWait.WaitingBatch() {
            @Override
            public int take() {
                return take.getAsInt();
            }

            @Override
            public boolean isFull() {
                return full.getAsBoolean();
            }

            @Override
            public boolean hasClosed() {
                return closing;
            }

            @Override
            public boolean hasAll() {
                return all.getAsBoolean();
            }
        });
    }

    private void stepAside() {
        yields++;
        nanos += turn;
    }

    private void nap() {
        naps++;
        nanos += BatchWait.NAP_NANOS;
    }

    /** Returns whether a batch waited during which so many files came. */
    private boolean waits(int files) {
        int before = yields;
        AtomicInteger left = new AtomicInteger(files);
        gather(() -> left.getAndSet(0));
        return yields > before;
    }

    @Test
    void aGroupWaitsWhileOthersUseTheProcessorButNotForLong() {
        long start = nanos;
        gather(() -> 1);
        assertThat(Duration.ofNanos(nanos - start)).isBetween(Duration.ofMillis(50), Duration.ofMillis(53));
    }

    @Test
    void aGroupToWhichNoMoreFilesComeGoes() {
        long start = nanos;
        AtomicInteger left = new AtomicInteger(5);
        gather(() -> left.getAndDecrement() > 0 ? 1 : 0);
        assertThat(Duration.ofNanos(nanos - start)).isEqualTo(Duration.ofMillis(24));
    }

    @Test
    void aGroupOfAnIdleMachineDoesNotWait() {
        turn = IDLE;
        othersBusy = false;
        for (int i = 0; i < 100; i++) {
            gather(() -> 0);
        }
        assertThat(yields).isEqualTo(100);
        assertThat(naps).isZero();
    }

    @Test
    void aFullGroupGoesAtOnceAndWaitedNotInVain() {
        AtomicInteger files = new AtomicInteger();
        for (int i = 0; i < 10; i++) {
            files.set(0);
            gather(files::incrementAndGet, () -> files.get() >= 3);
            gather(() -> 0, () -> true);
        }
        assertThat(yields).isEqualTo(30);
    }

    @Test
    void filesThatCameAtOnceAreFollowedByOthers() {
        turn = IDLE;
        othersBusy = false;
        AtomicInteger left = new AtomicInteger(3);
        gather(() -> left.get() > 0 ? left.getAndDecrement() : 0);
        assertThat(yields).isEqualTo(4);
    }

    @Test
    void whereNobodyWantsTheProcessorAnyMoreTheGroupNapsWhileFilesCome() {
        AtomicInteger looks = new AtomicInteger();
        gather(() -> {
            turn = IDLE;
            int look = looks.incrementAndGet();
            // A file comes after each nap, four times.
            return look % 2 == 0 && look <= 10 ? 1 : 0;
        });
        // It waits 8 ms after the last file.
        assertThat(naps).isEqualTo(4 + 16);
        assertThat(looks).hasValue(10 + 16);
    }

    @Test
    void aGroupOfThoseWhoStreamDoesNotNap() {
        closing = false;
        gather(() -> {
            turn = IDLE;
            return 0;
        });
        assertThat(yields).isEqualTo(2);
        assertThat(naps).isZero();
    }

    @Test
    void aGroupNapsOnlyWhileTheOtherProcessorsAreBusy() {
        turn = IDLE;
        AtomicInteger looks = new AtomicInteger();
        gather(() -> {
            othersBusy = looks.incrementAndGet() < 4;
            return 0;
        });
        assertThat(naps).isEqualTo(3);
    }

    @Test
    void aShortWaitInWhichNothingCameIsNotInVain() {
        closing = false;
        for (int i = 0; i < 10; i++) {
            turn = BUSY;
            gather(() -> {
                turn = IDLE;
                return 0;
            });
        }
        assertThat(yields).isEqualTo(20);
    }

    @Test
    void aGroupThatHasAFileOfEveryWriterGoesAtOnceAndWaitedNotInVain() {
        AtomicInteger files = new AtomicInteger();
        all = () -> files.get() >= 3;
        for (int i = 0; i < 10; i++) {
            files.set(0);
            gather(files::incrementAndGet);
        }
        assertThat(yields).isEqualTo(30);
        for (int i = 0; i < 10; i++) {
            gather(files::incrementAndGet);
        }
        assertThat(yields).isEqualTo(30);
    }

    @Test
    void waitsInVainBecomeRare() {
        int waits = 0;
        for (int i = 0; i < 1_000; i++) {
            waits += waits(0) ? 1 : 0;
        }
        // It waits after 1, 2, 4, ... 64 batches, and then every 65th.
        assertThat(waits).isEqualTo(21);
    }

    @Test
    void aWaitThatBroughtCompanyIsFollowedByOthers() {
        for (int i = 0; i < 1_000; i++) {
            waits(0);
        }
        while (!waits(1)) {
            // These batches do not wait.
        }
        for (int i = 0; i < 10; i++) {
            assertThat(waits(1)).isTrue();
        }
    }
}
