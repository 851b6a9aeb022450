// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes are seen to although the thread would wait for hours without any. */
@Timeout(60)
final class UpkeepThreadTest {
    private static final long END_MILLIS = 30_000;

    /** The result of each step; without one, a step has nothing to do. */
    private final LinkedBlockingQueue<Boolean> work = new LinkedBlockingQueue<>();

    private final Semaphore steps = new Semaphore(0);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final UpkeepThread thread = new UpkeepThread(
            "m", () -> Boolean.TRUE.equals(work.poll()), Duration.ofHours(5), steps::release, ended::countDown);

    @AfterEach
    void end() {
        thread.stop();
        thread.interrupt();
        assertThat(thread.awaitEnd(END_MILLIS)).isTrue();
    }

    @Test
    void aChangeBeforeDuringAndAfterAStepIsFollowedByOne() {
        thread.changed();
        thread.start();
        steps.acquireUninterruptibly(2);
        for (int i = 0; i < 3; i++) {
            thread.changed();
            steps.acquireUninterruptibly();
        }
    }

    @Test
    void workThatIsLeftIsDoneWithoutAChange() {
        for (int i = 0; i < 100; i++) {
            work.add(true);
        }
        thread.start();
        steps.acquireUninterruptibly(101);
        assertThat(work).isEmpty();
    }

    @Test
    void aThreadThatWaitsEndsWhenItIsStopped() {
        thread.start();
        steps.acquireUninterruptibly();
        thread.stop();
        assertThat(thread.awaitEnd(END_MILLIS)).isTrue();
        assertThat(thread.problem()).isEmpty();
    }

    @Test
    void anErrorThatEndsItIsTold() throws InterruptedException {
        UpkeepThread broken = new UpkeepThread(
                "m",
                () -> {
                    throw new IllegalStateException("for this test");
                },
                Duration.ofHours(5),
                steps::release,
                ended::countDown);
        broken.start();
        ended.await();
        assertThat(broken.problem()).hasValueSatisfying(why -> assertThat(why).contains("for this test"));
        thread.start();
        assertThat(thread.problem()).isEqualTo(Optional.empty());
    }
}
