// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class StatusPageTest {
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();
    private final CountDownLatch sampled = new CountDownLatch(1);

    private StatusPage page() throws InterruptedException {
        StatusPage page = new StatusPage(
                () -> {
                    asked.incrementAndGet();
                    sampled.countDown();
                    return Reports.of(1, 1, 1);
                },
                Clock.systemUTC(),
                nanos::get);
        sampled.await();
        return page;
    }

    @Test
    void whoeverAsksTheDaemonIsAskedOnceASecond() throws Exception {
        try (StatusPage page = page()) {
            List<Thread> many = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                Thread thread = new Thread(() -> {
                    try {
                        assertThat(page.find(StatusPage.API, false)).isPresent();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
                thread.start();
                many.add(thread);
            }
            for (Thread thread : many) {
                thread.join();
            }
            assertThat(asked).hasValue(2);
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(999));
            page.find(StatusPage.API, false);
            assertThat(asked).hasValue(2);
            nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
            page.find(StatusPage.API, false);
            assertThat(asked).hasValue(3);
        }
    }

    @Test
    void onlyTheFilesOfThePageAreServed() throws Exception {
        try (StatusPage page = page()) {
            assertThat(page.find("/", false).orElseThrow().type()).startsWith("text/html");
            for (String file : List.of("/index.html", "/page.js", "/page.css", "/style.css", "/icon.svg")) {
                assertThat(page.find(file, true)).isPresent();
            }
            for (String other : List.of("", "//", "/StatusPage.class", "/../page.js", "/page.js/", "/api/", "/x")) {
                assertThat(page.find(other, false)).as(other).isEmpty();
            }
        }
    }

    private static byte[] bytes(StatusPage.Content content) {
        ByteBuffer buffer = content.bytes();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Test
    void zippedIsTheSame() throws Exception {
        try (StatusPage page = page()) {
            byte[] plain = bytes(page.find(StatusPage.API, false).orElseThrow());
            StatusPage.Content zipped = page.find(StatusPage.API, true).orElseThrow();
            assertThat(zipped.zipped()).isTrue();
            assertThat(new GZIPInputStream(new ByteArrayInputStream(bytes(zipped))).readAllBytes())
                    .isEqualTo(plain);
            assertThat(new String(plain, StandardCharsets.UTF_8)).startsWith("{\"daemon\":\"BDT master\"");
        }
    }
}
