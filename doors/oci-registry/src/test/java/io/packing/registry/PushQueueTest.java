// SPDX-License-Identifier: Apache-2.0
package io.packing.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.registry.oci.Digest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The work behind pushes. */
@Timeout(60)
class PushQueueTest {
    private static Digest digest(int number) {
        return Digest.Algorithm.SHA256.of(Integer.toString(number).getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aRepositoryWhoseImagesTakeLongHoldsNoOther() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CountDownLatch made = new CountDownLatch(1);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        ImageTrees trees = new ImageTrees() {
            @Override
            public boolean isSettled(String repository, Digest manifest) {
                return false;
            }

            @Override
            public Result make(String repository, Digest manifest) {
                if (repository.equals("bomb")) {
                    try {
                        over.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return Result.TOO_LARGE;
                }
                made.countDown();
                return Result.MADE;
            }
        };
        try (PushQueue queue =
                new PushQueue(Optional.empty(), Optional.of(trees), Optional.empty(), new RegistryMetrics(meters))) {
            for (int i = 0; i < 100; i++) {
                queue.manifest("bomb", digest(i));
            }
            queue.manifest("other", digest(1));
            made.await();
            over.countDown();
            queue.await();
        }
        assertThat(meters.counter("packing.registry.trees", "outcome", "too-large")
                        .count())
                .isEqualTo(100);
        assertThat(meters.counter("packing.registry.trees", "outcome", "made").count())
                .isOne();
    }
}
