// SPDX-License-Identifier: Apache-2.0
package io.packing.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class RareLogTest {
    private final List<String> told = new ArrayList<>();
    private final RareLog log = new RareLog("pushes", new LoopLog() {
        @Override
        public void failed(String loop, Exception e) {
            told.add(loop + " failed: " + e.getMessage());
        }

        @Override
        public void failedAgain(String loop, long failures, Exception e) {
            told.add("%s failed %d times: %s".formatted(loop, failures, e.getMessage()));
        }

        @Override
        public void works(String loop, long failures) {
            told.add("%s works after %d".formatted(loop, failures));
        }

        @Override
        public void interrupted(String loop) {
            told.add(loop + " interrupted");
        }
    });

    @Test
    void failuresAreToldEverLessOften() {
        for (int i = 1; i <= 5; i++) {
            assertThat(log.failed(new IOException("no. " + i))).isEqualTo(i);
        }
        assertThat(told)
                .containsExactly(
                        "pushes failed: no. 1", "pushes failed 2 times: no. 2", "pushes failed 4 times: no. 4");
    }

    @Test
    void aSuccessAfterSeveralFailuresIsToldAndBeginsTheCountAnew() {
        long unused = log.failed(new IOException("a"));
        unused = log.failed(new IOException("b"));
        log.worked();
        log.worked();
        assertThat(log.failed(new IOException("c"))).isEqualTo(1);
        assertThat(told)
                .containsExactly(
                        "pushes failed: a", "pushes failed 2 times: b", "pushes works after 2", "pushes failed: c");
    }

    @Test
    void aSuccessAfterOneFailureIsNotTold() {
        long unused = log.failed(new IOException("a"));
        log.worked();
        assertThat(told).containsExactly("pushes failed: a");
    }

    @Test
    void aThousandFailuresAreToldTenTimes() {
        assertThat(LongStream.rangeClosed(1, 1_000).filter(RareLog::tells))
                .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L);
        assertThat(RareLog.tells(0)).isFalse();
    }
}
