// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.BdtMethods;
import io.packing.bdt.BusyException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Refused calls: those of clients that call too often, and those that can wait while the master is behind. */
class RefusingTest {
    private static final ClientRates.RateLimits TERMS = new ClientRates.RateLimits(10, 5);

    private final AtomicLong nanos = new AtomicLong();
    private final ClientRates rates = new ClientRates(TERMS, nanos::get);

    private long granted(String client, int calls) {
        long granted = 0;
        for (int i = 0; i < calls; i++) {
            granted += rates.refusal(client, TERMS).isEmpty() ? 1 : 0;
        }
        return granted;
    }

    @Test
    void aClientHasItsBurstAndThenItsRate() {
        assertThat(granted("user alice", 20)).isEqualTo(5);
        nanos.addAndGet(Duration.ofMillis(300).toNanos());
        assertThat(granted("user alice", 20)).isEqualTo(3);
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        assertThat(granted("user alice", 20)).isEqualTo(5);
    }

    @Test
    void aRefusalSaysWhenThereIsRoomAgain() {
        assertThat(granted("user alice", 5)).isEqualTo(5);
        BusyException refused = rates.refusal("user alice", TERMS).orElseThrow();
        assertThat(refused).hasMessageContaining("user alice").hasMessageContaining("bdt.client.rate");
        nanos.addAndGet(refused.waitFor().toNanos());
        assertThat(rates.refusal("user alice", TERMS)).isEmpty();
    }

    @Test
    void oneClientTakesNothingFromAnother() {
        assertThat(granted("user alice", 100)).isEqualTo(5);
        assertThat(granted("address /10.0.0.1", 100)).isEqualTo(5);
    }

    @Test
    void otherTermsHoldFromTheNextCallOn() {
        assertThat(granted("user alice", 100)).isEqualTo(5);
        ClientRates.RateLimits more = new ClientRates.RateLimits(10, 50);
        rates.take(more);
        assertThat(rates.refusal("user alice", more)).isEmpty();
    }

    @Test
    void senselessTermsAreRefused() {
        assertThatThrownBy(() -> new ClientRates.RateLimits(-1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ClientRates.RateLimits(1, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aMasterThatIsBehindRefusesWhatCanWaitFirst() {
        List<String> methods = BdtMethods.NAMES;
        assertThat(refused(methods, 0.49)).isEmpty();
        assertThat(refused(methods, 0.5)).containsExactlyInAnyOrder("List", "Find", "Scan", "Statistics");
        assertThat(refused(methods, 0.95))
                .contains("List", "Mkdir", "Apply", "SetQuota")
                .doesNotContain("Stat", "Locate", "Open", "Workers");
        assertThat(refused(methods, 1)).doesNotContainAnyElementsOf(BdtMethods.OF_SESSIONS);
    }

    private static List<String> refused(List<String> methods, double filled) {
        QueueGate gate = new QueueGate(() -> filled);
        return methods.stream()
                .filter(method -> gate.refusal(method)
                        .filter(why -> !Optional.of(why.waitFor())
                                .filter(Duration::isZero)
                                .isPresent())
                        .isPresent())
                .toList();
    }
}
