// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFilter;
import io.packing.trace.TraceOrigin;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecorderTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SLOTS = 256;

    private final FailingLog collected = new FailingLog();
    private final List<String> said = new ArrayList<>();
    private long now = 1_000;
    private final Recorder recorder =
            new Recorder(SLOTS, new CollapseLimits(4096, 65_536, SECOND), () -> now, () -> {});
    private final Drain drain = new Drain(
            recorder,
            new TraceOrigin("host", 7, "test"),
            collected,
            Clock.fixed(Instant.ofEpochSecond(100), ZoneOffset.UTC),
            new Drain.DrainOptions(TraceFilter.ALL, SECOND, 0),
            said::add);
    private final StreamRecorder stream =
            recorder.stream(new FileSystemInstance(1, "ann"), recorder.nextStream(), "/hbase/WALs/a");

    @Test
    void smallSequentialWritesBecomeOneEventThatKeepsThemAll() {
        write(0, 1);
        write(1, 10);
        write(11, 100);
        drain.finish();
        TraceEvent event = collected.readable.get(0);
        assertThat(collected.readable).hasSize(1);
        assertThat(event.count()).isEqualTo(3);
        assertThat(event.offset()).isZero();
        assertThat(event.bytes()).isEqualTo(111);
        assertThat(event.monoNanos()).isEqualTo(1_000);
        assertThat(event.lastNanos()).isEqualTo(1_010);
        assertThat(event.durationNanos()).isEqualTo(6);
        assertThat(event.user()).isEqualTo("ann");
        assertThat(event.thread()).isEqualTo(Thread.currentThread().getName());
        assertThat(event.path()).isEqualTo("/hbase/WALs/a");
    }

    @Test
    void aGapALargeCallAndAnotherKindEndARun() {
        write(0, 1);
        write(5, 1);
        write(6, 5_000);
        write(5_006, 1);
        stream.call(Call.HFLUSH, now, now, -1, -1, -1, "", "");
        drain.finish();
        assertThat(collected.readable)
                .extracting(TraceEvent::call)
                .containsExactly(Call.WRITE, Call.WRITE, Call.WRITE, Call.WRITE, Call.HFLUSH);
        assertThat(collected.readable.stream().mapToLong(TraceEvent::bytes).sum())
                .isEqualTo(5_003);
    }

    @Test
    void aRunEndsByItsSize() {
        for (int i = 0; i < 40; i++) {
            write(i * 4096L, 4096);
        }
        drain.finish();
        assertThat(collected.readable).extracting(TraceEvent::count).containsExactly(16, 16, 8);
    }

    @Test
    void theRunOfAStreamThatIsNeverClosedIsWrittenWhenItIsOld() {
        write(0, 7);
        now += SECOND / 2;
        drain.step();
        assertThat(collected.readable).isEmpty();
        now += SECOND;
        drain.step();
        now += 1;
        drain.step();
        assertThat(collected.readable).extracting(TraceEvent::bytes).containsExactly(7L);
        // The stream collapses again, although the sweeper has forgotten it.
        write(7, 8);
        now += 2 * SECOND;
        drain.step();
        now += 1;
        drain.step();
        assertThat(collected.readable).extracting(TraceEvent::bytes).containsExactly(7L, 8L);
    }

    @Test
    void eventsAreInTheOrderInWhichTheirCallsEndedWhateverTheThread() throws Exception {
        for (int i = 0; i < 20; i++) {
            Thread thread = new Thread(() -> {
                now += 5;
                stream.call(Call.SEEK, now, now, now, -1, now, "", "");
            });
            thread.start();
            thread.join();
        }
        drain.finish();
        assertThat(collected.readable).hasSize(20);
        assertThat(collected.readable).extracting(TraceEvent::offset).isSorted();
    }

    @Test
    void oneThreadHasTheSlotsOfAllRingsAndItsOrderStays() {
        seeks(SLOTS);
        drain.finish();
        assertThat(recorder.dropped()).isZero();
        assertThat(collected.readable).hasSize(SLOTS);
        assertThat(collected.readable).extracting(TraceEvent::offset).isSorted();
    }

    @Test
    void fullRingsDropAndCountAndSaySo() {
        seeks(SLOTS + 100);
        drain.finish();
        assertThat(collected.readable).hasSize(SLOTS);
        assertThat(recorder.dropped()).isEqualTo(100);
        assertThat(said).anyMatch(text -> text.contains("HTFS dropped 100"));
    }

    private void seeks(int count) {
        for (int i = 0; i < count; i++) {
            now += 5;
            stream.call(Call.SEEK, now, now, i, -1, i, "", "");
        }
    }

    private void write(long offset, int length) {
        stream.sequential(Call.WRITE, offset, length, length, now, now + 2);
        now += 5;
    }
}
