// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static io.packing.store.ObjectStoreContract.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerMetrics;
import io.packing.s3server.S3ServerOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that refuses requests above a rate. */
class S3ThrottlingTest {
    private static final int THREADS = 32;
    private static final int PUTS_PER_THREAD = 20;

    @Test
    void throttledServerLosesNothingAndIsNotHammered(@TempDir Path directory) throws Exception {
        RequestMeter meter = new RequestMeter();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (S3Server server =
                        S3Server.start(S3ServerOptions.of(directory, "bucket").withPutLimitPerSecond(100));
                ObjectStore store = ObjectStores.open(
                        S3Fixtures.options(
                                server.endpoint(), "s3://bucket/p", Map.of("packing.s3.retry.timeout", "5m")),
                        meter)) {
            List<Callable<Void>> writers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                String prefix = "t%02d-".formatted(thread);
                writers.add(() -> {
                    for (int i = 0; i < PUTS_PER_THREAD; i++) {
                        store.put(prefix + i, bytes("x"), PutCondition.IF_ABSENT);
                    }
                    return null;
                });
            }
            for (Future<Void> writer : threads.invokeAll(writers)) {
                writer.get();
            }
            int puts = THREADS * PUTS_PER_THREAD;
            int listed = 0;
            for (int thread = 0; thread < THREADS; thread++) {
                listed += store.list("t%02d-".formatted(thread), "", 1_000).size();
            }
            assertThat(listed).isEqualTo(puts);
            S3ServerMetrics.Counts seen = server.metrics().prefix("p");
            assertThat(seen.put()).isEqualTo(puts);
            assertThat(seen.throttled()).isEqualTo(meter.snapshot().throttled()).isBetween(1L, puts / 4L);
            assertThat(meter.snapshot().failed()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }
}
