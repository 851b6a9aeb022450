// SPDX-License-Identifier: Apache-2.0
package io.packing.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LoopTest {
    private static final Optional<Throwable> WELL = Optional.empty();
    private static final BackOff BACK_OFF = new BackOff(1_000, 4_000);

    /** The ends of the loop's steps, in order; a step waits for its end. */
    private final LinkedBlockingQueue<Optional<Throwable>> ends = new LinkedBlockingQueue<>();

    private final Semaphore begun = new Semaphore(0);
    private final CompletableFuture<Throwable> died = new CompletableFuture<>();

    private final List<Long> pauses = Collections.synchronizedList(new ArrayList<>());
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final LoopLog log = new LoopLog() {
        @Override
        public void failed(String loop, Exception e) {
            told.add("failed");
        }

        @Override
        public void failedAgain(String loop, long failures, Exception e) {
            told.add(Long.toString(failures));
        }

        @Override
        public void works(String loop, long failures) {
            told.add("works " + failures);
        }

        @Override
        public void interrupted(String loop) {
            told.add("interrupted");
        }
    };

    private Loop loop() {
        return Loop.start(
                "test-loop",
                BACK_OFF,
                log,
                () -> {
                    begun.release();
                    Throwable end = ends.take().orElse(null);
                    if (end instanceof IOException e) {
                        throw e;
                    } else if (end instanceof RuntimeException e) {
                        throw e;
                    } else if (end instanceof Error e) {
                        throw e;
                    } else if (end instanceof InterruptedException e) {
                        throw e;
                    }
                },
                died::complete,
                (closed, millis) -> pauses.add(millis));
    }

    private void end(Optional<Throwable> end) {
        ends.add(end);
        begun.acquireUninterruptibly();
    }

    @Test
    void failuresInARowAreAProblemUntilAStepIsWell() {
        try (Loop loop = loop()) {
            begun.acquireUninterruptibly();
            for (int i = 1; i < Loop.FAILURES_TOLD; i++) {
                end(Optional.of(new IOException("no disk")));
            }
            assertThat(loop.problem()).isEmpty();
            end(Optional.of(new IllegalStateException("no luck")));
            assertThat(loop.problem())
                    .get()
                    .asString()
                    .contains("test-loop")
                    .contains("3 times")
                    .contains("no luck");
            end(WELL);
            assertThat(loop.problem()).isEmpty();
        }
    }

    @Test
    void aHeapThatIsFullEndsTheLoop() {
        try (Loop loop = loop()) {
            OutOfMemoryError error = new OutOfMemoryError("Java heap space");
            ends.add(Optional.of(error));
            assertThat(died.join()).isSameAs(error);
        }
    }

    @Test
    void anErrorEndsTheLoopAndIsTold() {
        try (Loop loop = loop()) {
            StackOverflowError error = new StackOverflowError("planted");
            ends.add(Optional.of(error));
            assertThat(died.join()).isSameAs(error);
            assertThat(loop.problem()).get().asString().contains("test-loop").contains("StackOverflowError");
        }
    }

    @Test
    void anInterruptThatIsNoCloseDoesNotEndTheLoop() {
        try (Loop loop = loop()) {
            begun.acquireUninterruptibly();
            end(Optional.of(new InterruptedException("stray")));
            end(WELL);
            assertThat(loop.problem()).isEmpty();
        }
    }

    @Test
    void theLogLearnsOfTheFirstFailureAndThenOfEverFewer() {
        try (Loop loop = loop()) {
            begun.acquireUninterruptibly();
            for (int i = 0; i < 9; i++) {
                end(Optional.of(new IOException("no disk")));
            }
            end(WELL);
            assertThat(loop.problem()).isEmpty();
        }
        assertThat(told).containsExactly("failed", "2", "4", "8", "works 9");
    }

    @Test
    void pausesGrowWithTheFailuresInARowAndBeginAnewAfterAStepThatIsWell() {
        try (Loop loop = loop()) {
            begun.acquireUninterruptibly();
            for (int i = 0; i < 4; i++) {
                end(Optional.of(new IOException("no disk")));
            }
            end(WELL);
            end(Optional.of(new IOException("no disk")));
            assertThat(loop.problem()).isEmpty();
        }
        assertThat(pauses).containsExactly(1_000L, 2_000L, 4_000L, 4_000L, 1_000L);
    }

    @Test
    void aCloseEndsAPauseOfAnyLength() {
        Loop loop = Loop.start(
                "test-loop",
                new BackOff(1_000, 1_000),
                log,
                () -> {
                    throw new IOException("no disk");
                },
                died::complete,
                (closed, millis) -> {
                    begun.release();
                    closed.await();
                });
        begun.acquireUninterruptibly();
        loop.close();
        assertThat(told).contains("failed");
        assertThat(died).isNotDone();
    }

    @Test
    void aLoopThatFinishesItsStepIsWokenAndNotInterrupted() {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        Semaphore work = new Semaphore(0);
        Loop loop = Loop.start(
                        "test-loop",
                        BACK_OFF,
                        log,
                        () -> {
                            begun.release();
                            work.acquireUninterruptibly();
                            seen.add(Thread.currentThread().isInterrupted() ? "interrupted" : "finished");
                        },
                        died::complete)
                .finishingItsStep(work::release);
        begun.acquireUninterruptibly();
        loop.close();
        assertThat(seen).containsExactly("finished");
    }
}
