// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.UnavailableException;
import io.packing.bdt.WorkerInfo;
import io.packing.seed.Seed;
import io.packing.worker.api.Writers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client waits a little for a worker, once; later searches fail at once, until a worker serves. */
@Timeout(60)
final class WorkerSearchTest {
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger lookups = new AtomicInteger();
    private final List<WorkerInfo> live = new ArrayList<>();
    private volatile Optional<String> problem = Optional.of("Connection refused");
    private final WorkerSearch search = new WorkerSearch(
            "s3://bucket/prefix",
            () -> {
                lookups.incrementAndGet();
                return live;
            },
            Writers.preferHost("here"),
            (address, timeout) -> problem,
            TIMEOUT,
            // Each look at the clock takes time, so that the wait ends.
            () -> now.addAndGet(10_000_000),
            Seed.random());

    private void listed(String worker, String address) {
        live.add(new WorkerInfo(worker, address, 1, 0, 0));
    }

    @Test
    void theErrorNamesEveryWorkerThatWasAskedAndWhyItIsNotTheOne() {
        listed("w1", "there:1");
        listed("w2", "here:2");
        assertThatThrownBy(() -> search.find(Optional.empty()))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("here:2: Connection refused; there:1: Connection refused")
                .hasMessageContaining("s3://bucket/prefix")
                .hasMessageContaining("packing.worker.timeout");
    }

    @Test
    void withoutAnyWorkerTheErrorSaysThatTheMasterListsNone() {
        assertThatThrownBy(() -> search.find(Optional.empty()))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("lists no live worker")
                .hasMessageContaining("Start one");
    }

    @Test
    void afterAWaitInVainNobodyWaitsForAMinute() {
        assertThatThrownBy(() -> search.find(Optional.empty())).isInstanceOf(UnavailableException.class);
        assertThat(lookups.getAndSet(0)).isGreaterThan(1);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> search.find(Optional.empty())).isInstanceOf(UnavailableException.class);
            assertThat(lookups.getAndSet(0)).isEqualTo(1);
        }
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThatThrownBy(() -> search.find(Optional.empty())).isInstanceOf(UnavailableException.class);
        assertThat(lookups.get()).isGreaterThan(1);
    }

    @Test
    void aWorkerThatAppearsIsTakenByTheNextAndTheOneAfterALossIsWaitedForAgain() throws IOException {
        assertThatThrownBy(() -> search.find(Optional.empty())).isInstanceOf(UnavailableException.class);
        listed("w1", "there:1");
        problem = Optional.empty();
        assertThat(search.find(Optional.empty())).isEqualTo("there:1");
        problem = Optional.of("gone again");
        lookups.set(0);
        assertThatThrownBy(() -> search.find(Optional.of("there:1"))).isInstanceOf(UnavailableException.class);
        assertThat(lookups.get()).isGreaterThan(1);
    }

    @Test
    void aWorkerThatBrokeIsTheLastToBeAsked() throws IOException {
        listed("w1", "here:1");
        listed("w2", "there:2");
        problem = Optional.empty();
        assertThat(search.find(Optional.of("here:1"))).isEqualTo("there:2");
        assertThat(search.find(Optional.empty())).isEqualTo("here:1");
    }

    @Test
    void whoSearchesWhenTheMountIsClosedIsTold() {
        search.close();
        assertThatThrownBy(() -> search.find(Optional.empty()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("closed");
    }
}
