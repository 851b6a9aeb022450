// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rest of a refused request that never ends, or that ends. */
class UnreadBodyTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger reads = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    /** A body that has a byte at each demand. */
    private final class Dripping implements Content.Source {
        private final int bytes;
        private boolean present;
        private Runnable demand = () -> {};

        Dripping(int bytes) {
            this.bytes = bytes;
        }

        void drip() {
            present = true;
            demand.run();
        }

        @Override
        public Content.@Nullable Chunk read() {
            if (!present) {
                return null;
            }
            present = false;
            return Content.Chunk.from(ByteBuffer.allocate(1), reads.incrementAndGet() == bytes);
        }

        @Override
        public void demand(Runnable callback) {
            demand = callback;
        }

        @Override
        public void fail(Throwable failure) {
            throw new AssertionError(failure);
        }
    }

    private Dripping body(int bytes) {
        Dripping body = new Dripping(bytes);
        new UnreadBody(body, nanos::get, Callback.from(ended::incrementAndGet)).run();
        return body;
    }

    @Test
    void aClientThatSendsOnForEverIsCutOffAfterATime() {
        Dripping body = body(Integer.MAX_VALUE);
        for (int i = 0; ended.get() == 0; i++) {
            assertThat(i).as("bytes, one a second").isLessThan(100);
            nanos.addAndGet(1_000_000_000L);
            body.drip();
        }
        assertThat(nanos.get()).isGreaterThan(UnreadBody.PATIENCE.toNanos());
    }

    @Test
    void aBodyThatEndsIsReadToItsEnd() {
        Dripping body = body(3);
        body.drip();
        body.drip();
        assertThat(ended).hasValue(0);
        body.drip();
        assertThat(ended).hasValue(1);
        assertThat(reads).hasValue(3);
    }
}
