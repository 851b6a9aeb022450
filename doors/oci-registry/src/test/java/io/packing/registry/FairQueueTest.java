// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Work of several owners. */
@Timeout(60)
class FairQueueTest {
    private final CountDownLatch over = new CountDownLatch(1);
    private final FairQueue queue = new FairQueue(Thread::new, 2, 100);
    private final List<String> done = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        over.countDown();
        queue.close();
    }

    private void hold() {
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anOwnerWhoseWorkTakesLongHoldsNoOther() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(queue.offer("slow", this::hold)).isTrue();
        }
        CountDownLatch others = new CountDownLatch(20);
        for (int i = 0; i < 20; i++) {
            assertThat(queue.offer("other" + i % 4, others::countDown)).isTrue();
        }
        others.await();
        queue.await(10);
        assertThat(queue.waiting()).isEqualTo(10);
    }

    @Test
    void piecesOfAnOwnerRunInTheirOrderAndOwnersInTurn() throws Exception {
        try (FairQueue one = new FairQueue(Thread::new, 1, 100)) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            assertThat(one.offer("first", () -> {
                        begun.countDown();
                        awaitUninterrupted(go);
                    }))
                    .isTrue();
            begun.await();
            for (int i = 0; i < 3; i++) {
                int number = i;
                for (String owner : new String[] {"a", "b"}) {
                    assertThat(one.offer(owner, () -> done.add(owner + number))).isTrue();
                }
            }
            go.countDown();
            one.await(0);
            assertThat(done).containsExactly("a0", "b0", "a1", "b1", "a2", "b2");
        }
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void anOwnerFillsHalfOfTheQueueAtMost() {
        int taken = 0;
        while (queue.offer("greedy", this::hold)) {
            taken++;
        }
        assertThat(taken).isBetween(50, 52);
        assertThat(queue.offer("other", () -> {})).isTrue();
    }

    @Test
    void aPieceThatDiesDoesNotStopThoseBehindIt() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(queue.offer("a", () -> {
                        throw new StackOverflowError("a bug");
                    }))
                    .isTrue();
        }
        assertThat(queue.offer("a", () -> done.add("last"))).isTrue();
        queue.await(0);
        assertThat(done).containsExactly("last");
    }

    @Test
    void aClosedQueueTakesNothing() {
        queue.close();
        assertThat(queue.offer("a", () -> {})).isFalse();
    }
}
