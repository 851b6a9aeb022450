// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class WriterThreadTest {
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final AtomicInteger steps = new AtomicInteger();

    private final class Failing implements WriterThread.Passes {
        private final int failures;
        private final CountDownLatch well = new CountDownLatch(1);
        private final CountDownLatch finished = new CountDownLatch(1);

        Failing(int failures) {
            this.failures = failures;
        }

        @Override
        public void step() {
            if (steps.getAndIncrement() < failures) {
                throw new StackOverflowError("planted");
            }
            well.countDown();
        }

        @Override
        public void finish() {
            finished.countDown();
            throw new IllegalStateException("planted");
        }
    }

    @Test
    void aPassThatFailsIsToldAndTheNextOneGoesOn() throws Exception {
        Failing passes = new Failing(3);
        try (WriterThread writer = new WriterThread(passes, 0, warnings::add)) {
            writer.start();
            passes.well.await();
        }
        passes.finished.await();
        assertThat(warnings).hasSize(4).allMatch(warning -> warning.contains("planted"));
    }

    @Test
    void aTracerThatCannotWorkEndsAndSaysSo() throws Exception {
        Failing passes = new Failing(Integer.MAX_VALUE);
        try (WriterThread writer = new WriterThread(passes, 0, warnings::add)) {
            writer.start();
            passes.finished.await();
        }
        assertThat(warnings).anyMatch(warning -> warning.contains("traces this process no more"));
        assertThat(steps).hasValue(10);
    }
}
