// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static io.packing.store.ObjectStoreContract.bytes;
import static io.packing.store.ObjectStoreContract.random;
import static io.packing.store.ObjectStoreContract.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.packing.options.PriceTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class DecoratorsTest {
    private final InMemoryObjectStore memory = new InMemoryObjectStore();

    @Test
    void meterCountsByKindAndPrices() throws IOException {
        RequestMeter meter = new RequestMeter();
        ObjectStore store = new MeteredObjectStore(memory, meter);
        store.put("k", bytes("12345"), PutCondition.IF_ABSENT);
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> store.put("k", bytes("12345"), PutCondition.IF_ABSENT));
        store.get("k", 1, 2);
        store.getTail("k", 3);
        store.head("k");
        store.list("", "", 5);
        store.delete(List.of("k", "l"));
        store.delete(List.of());
        RequestMeter.Snapshot seen = meter.snapshot();
        assertThat(seen).isEqualTo(new RequestMeter.Snapshot(2, 2, 1, 1, 1, 0, 0, 5, 5));
        // 3 x 0.005 + 3 x 0.0004 per thousand
        assertThat(seen.dollars(prices("s3-standard"))).isCloseTo(0.0000162, within(1e-12));
        assertThat(seen.dollars(prices("s3-express-one-zone"))).isCloseTo(0.00000348, within(1e-12));
        assertThat(meter.snapshot().since(seen).putClass()).isZero();
    }

    private static PriceTable prices(String name) throws IOException {
        return PriceTable.read(Path.of("../../conf/prices", name + ".properties"));
    }

    @Test
    void limitSpreadsWritesEvenly() throws IOException {
        long[] now = {0};
        List<Long> pauses = new ArrayList<>();
        ObjectStore store = new RateLimitedObjectStore(memory, 100, () -> now[0], millis -> {
            pauses.add(millis);
            now[0] += millis * 1_000_000;
        });
        for (int i = 0; i < 4; i++) {
            store.put("k", bytes("x"), PutCondition.NONE);
            store.getTail("k", 1);
        }
        assertThat(pauses).containsExactly(10L, 10L, 10L);
    }

    @Test
    void scriptedFaultsHappenBeforeOrAfterTheEffect() throws IOException {
        FaultyObjectStore store = new FaultyObjectStore(memory, random(), FaultyObjectStore.Rates.NONE);
        store.failNext(RequestKind.PUT, Fault.BEFORE, 1);
        store.failNext(RequestKind.PUT, Fault.AFTER, 1);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> store.put("before", bytes("x"), PutCondition.NONE));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> store.put("after", bytes("12345"), PutCondition.NONE));
        assertThat(memory.head("before")).isEmpty();
        assertThat(memory.head("after")).isPresent();
        store.failNext(RequestKind.GET, Fault.SHORT_READ, 1);
        assertThat(store.get("after", 0, 5).remaining()).isLessThan(5);
        assertThat(text(store.get("after", 0, 5))).isEqualTo("12345");
    }

    @Test
    void sameSeedGivesTheSameFaults() {
        assertThat(faults()).isEqualTo(faults()).contains(true).contains(false);
    }

    private static List<Boolean> faults() {
        FaultyObjectStore store =
                new FaultyObjectStore(new InMemoryObjectStore(), random(), new FaultyObjectStore.Rates(0.2, 0.2, 0));
        List<Boolean> failed = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            try {
                store.put("k" + i, bytes("x"), PutCondition.NONE);
                failed.add(false);
            } catch (IOException e) {
                failed.add(true);
            }
        }
        return failed;
    }

    @Test
    void gateHoldsAnOperationBeforeItsEffect() throws Exception {
        FaultyObjectStore store = new FaultyObjectStore(memory, random(), FaultyObjectStore.Rates.NONE);
        FaultyObjectStore.Gate gate = store.holdNext(RequestKind.PUT);
        CompletableFuture<Void> put = CompletableFuture.runAsync(() -> {
            try {
                store.put("k", bytes("x"), PutCondition.NONE);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        gate.awaitArrival();
        assertThat(memory.head("k")).isEmpty();
        gate.close();
        put.join();
        assertThat(memory.head("k")).isPresent();
    }
}
