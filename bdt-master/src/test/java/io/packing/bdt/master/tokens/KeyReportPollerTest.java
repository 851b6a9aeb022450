// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.tokens;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.MasterGroupKeys;
import io.packing.bdt.master.texts.MasterTexts;
import io.packing.process.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Other groups are asked again, whatever they answer. */
@Timeout(120)
final class KeyReportPollerTest {
    @TempDir
    private Path home;

    private OtherMasterGroups others;
    private MasterGroupKeys said;

    @BeforeEach
    void open() throws IOException {
        others = OtherMasterGroups.open(
                MasterTexts.in(home.resolve("heard")),
                Map.of("one", "10.0.0.1:19990", "three", "10.0.0.3:19990"),
                Clock.systemUTC());
        said = TokenAuthority.open(
                        MasterTexts.in(home.resolve("one")), TokenOptions.USUAL, KeyIds.of("one"), Clock.systemUTC())
                .published("one");
    }

    @Test
    void aGroupThatFailsIsAskedAgainAndDoesNotDelayTheOthers() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);
        KeyReportPoller.Question failing = () -> {
            switch (asked.incrementAndGet()) {
                case 1 -> throw new IOException("away");
                case 2 -> throw new IllegalStateException("a bug");
                default -> {
                    return said;
                }
            }
        };
        KeyReportPoller.Question silent = () -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return said;
        };
        try (KeyReportPoller unused = KeyReportPoller.start(others, Map.of("three", silent, "one", failing))) {
            Await.until("the group is heard of", () -> others.heard("one").isPresent());
            assertThat(asked.get()).isEqualTo(3);
            assertThat(others.heard("three")).isEmpty();
        }
    }

    /** This master would no longer hear which of the group's tokens are cancelled. */
    @Test
    void aGroupThatIsNotAskedAnyMoreIsNotBelievedAnyMore() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        others.take("one", said);
        KeyReportPoller.Question dying = () -> {
            if (asked.incrementAndGet() == 1) {
                return said;
            }
            throw new AssertionError("a bug that ends the thread");
        };
        try (KeyReportPoller unused = KeyReportPoller.start(others, Map.of("one", dying))) {
            Await.until("the group is forgotten", () -> others.heard("one").isEmpty());
            assertThat(asked.get()).isEqualTo(2);
        }
    }
}
