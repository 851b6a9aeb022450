// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A waiting caller gets the client's next step, or its end. */
@Timeout(60)
class ClientTimerTest {
    private static final long LONG = 3_600_000;

    private final ClientTimer timer = new ClientTimer(Executors.newScheduledThreadPool(1));
    private final List<String> told = new CopyOnWriteArrayList<>();

    @Test
    void anEndIsToldToAllThatWait() {
        timer.later(LONG, () -> told.add("task"), () -> told.add("end of one"));
        timer.later(LONG, () -> told.add("task"), () -> told.add("end of another"));
        timer.close();
        assertThat(told).containsExactlyInAnyOrder("end of one", "end of another");
        timer.close();
        assertThat(told).hasSize(2);
    }

    @Test
    void anEndIsToldAtOnceToWhoComesLater() {
        timer.close();
        timer.later(0, () -> told.add("task"), () -> told.add("end"));
        assertThat(told).containsExactly("end");
    }

    @Test
    void whatWasDoneHasNoEnd() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        timer.later(
                0,
                () -> {
                    told.add("task");
                    done.countDown();
                },
                () -> told.add("end"));
        done.await();
        timer.close();
        assertThat(told).containsExactly("task");
    }
}
