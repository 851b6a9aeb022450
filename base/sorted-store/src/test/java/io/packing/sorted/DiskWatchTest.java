// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DiskWatchTest {
    @TempDir
    private Path temp;

    private final Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();

    private record Watched(DiskGuard guard) implements DiskWatch.Member {
        @Override
        public void awaitWrites() {}

        @Override
        public void suspend() {}

        @Override
        public void resume() {}
    }

    @AfterEach
    void restoreTheHandler() {
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    /** Unwatched stores meet a full disk unprepared, which ends the process. */
    @Test
    @Timeout(60)
    void theWatchGoesOnWhateverIsThrownAndErrorsAreTold() throws IOException, InterruptedException {
        List<Throwable> told = new CopyOnWriteArrayList<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> told.add(failure));
        Error error = new NoClassDefFoundError("planted");
        Queue<Throwable> failures = new ArrayDeque<>(List.of(error, new IllegalStateException("planted"), error));
        CountDownLatch looks = new CountDownLatch(5);
        DiskGuard.FreeSpace space = () -> {
            looks.countDown();
            Throwable next = failures.poll();
            if (next instanceof Error e) {
                throw e;
            }
            if (next instanceof RuntimeException e) {
                throw e;
            }
            return 1L << 40;
        };
        DiskWatch watch = new DiskWatch();
        Watched member = new Watched(new DiskGuard(temp, 1, space, new DiskReserve(temp.resolve("reserve"), 0)));
        watch.join(member);
        looks.await();
        watch.leave(member, () -> {});
        assertThat(told).contains(error);
    }

    @Test
    void theWatchLooksOftenWhereADiskMaySoonBeFull() throws IOException {
        long kept = 64 << 20;
        AtomicLong free = new AtomicLong(1L << 40);
        DiskWatch watch = new DiskWatch();
        Watched member = new Watched(new DiskGuard(temp, kept, free::get, new DiskReserve(temp.resolve("reserve"), 0)));
        watch.join(member);
        watch.step();
        assertThat(Duration.ofNanos(watch.pauseNanos())).isEqualTo(Duration.ofMillis(500));
        // 10 GB in a second fill this in 50 ms.
        free.set(kept + 500_000_000);
        watch.step();
        assertThat(Duration.ofNanos(watch.pauseNanos())).isEqualTo(Duration.ofMillis(50));
        for (long bytes : new long[] {kept + 1, kept, kept - 1, 0}) {
            free.set(bytes);
            watch.step();
            assertThat(Duration.ofNanos(watch.pauseNanos()))
                    .as("%d bytes", bytes)
                    .isEqualTo(Duration.ofMillis(10));
        }
        free.set(1L << 40);
        watch.leave(member, () -> {});
    }
}
