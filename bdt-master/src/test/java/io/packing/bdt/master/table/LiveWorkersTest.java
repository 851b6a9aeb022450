// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Departure;
import io.packing.bdt.WorkerInfo;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Workers that an operator drains. */
class LiveWorkersTest {
    private final AtomicLong nanos = new AtomicLong();
    private final LiveWorkers workers = new LiveWorkers(Duration.ofSeconds(10), nanos::get);

    private static WorkerInfo worker(String id, long files) {
        return new WorkerInfo(id, id + ":1", 1, files, files * 10);
    }

    @Test
    void aWorkerIsToldUntilItHasLeft() {
        workers.heard(worker("stays", 1));
        workers.heard(worker("goes", 5));
        assertThat(workers.drain("goes")).contains(Departure.State.LEAVING);
        assertThat(workers.isLeaving("stays")).isFalse();
        assertThat(workers.live()).containsExactly(worker("goes", 5).asLeaving(), worker("stays", 1));
        workers.heard(worker("goes", 2));
        assertThat(workers.isLeaving("goes")).isTrue();
        assertThat(workers.leaving("goes")).contains(worker("goes", 2));
        workers.left(worker("goes", 0));
        assertThat(workers.live()).containsExactly(worker("stays", 1));
        assertThat(workers.drain("goes")).contains(Departure.State.LEFT);
    }

    @Test
    void aWorkerThatBeginsAnewStays() {
        workers.heard(worker("w", 5));
        assertThat(workers.drain("w")).contains(Departure.State.LEAVING);
        workers.left(worker("w", 0));
        Runnable takeBack = workers.registered(worker("w", 0), false);
        assertThat(workers.live()).containsExactly(worker("w", 0));
        takeBack.run();
        assertThat(workers.drain("w")).contains(Departure.State.LEFT);
        Runnable unused = workers.registered(worker("w", 0), false);
        workers.heard(worker("w", 1));
        assertThat(workers.isLeaving("w")).isFalse();
    }

    @Test
    void aWorkerThatIsNotHeardOfAnyMoreIsGoneAndMayComeBack() {
        workers.heard(worker("w", 5));
        assertThat(workers.drain("w")).contains(Departure.State.LEAVING);
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(workers.drain("w")).contains(Departure.State.GONE);
        workers.heard(worker("w", 4));
        assertThat(workers.drain("w")).contains(Departure.State.LEAVING);
    }

    @Test
    void aWorkerThatAnEarlierMasterToldIsKnownByItsHeartbeats() {
        assertThat(workers.drain("w")).isEmpty();
        workers.heardLeaving(worker("w", 5));
        assertThat(workers.live()).containsExactly(worker("w", 5).asLeaving());
    }
}
