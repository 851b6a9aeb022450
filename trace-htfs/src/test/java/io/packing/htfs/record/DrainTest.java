// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFilter;
import io.packing.trace.TraceOrigin;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A test of recorded events while the trace cannot be written, and of events outside of the filter. */
class DrainTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int SLOTS = 4_096;

    private final FailingLog log = new FailingLog();
    private final List<String> said = new ArrayList<>();
    private long now = 1_000;
    private int given;
    private final Recorder recorder = new Recorder(SLOTS, new CollapseLimits(0, 0, SECOND), () -> now, () -> {});
    private final StreamRecorder stream =
            recorder.stream(new FileSystemInstance(1, "ann"), recorder.nextStream(), "/kept/a");

    private Drain drain(TraceFilter filter) {
        return new Drain(
                recorder,
                new TraceOrigin("host", 7, "test"),
                log,
                Clock.fixed(Instant.ofEpochSecond(100), ZoneOffset.UTC),
                new Drain.DrainOptions(filter, SECOND, 5 * SECOND),
                said::add);
    }

    private void happens(StreamRecorder on, int events) {
        for (int i = 0; i < events; i++) {
            on.call(Call.SEEK, now, now, given++, -1, -1, "", "");
        }
        now++;
    }

    @Test
    void aFullDiskLosesEventsUntilItIsEmptiedAndEveryOneIsCountedOnce() {
        Drain drain = drain(TraceFilter.ALL);
        happens(stream, 10);
        now += 5 * SECOND;
        drain.step();
        assertThat(log.readable).hasSize(10);
        log.full = true;
        for (int i = 0; i < 100; i++) {
            happens(stream, 10);
            now += SECOND;
            drain.step();
        }
        assertThat(recorder.dropped()).isEqualTo(1_000);
        log.full = false;
        now += 11 * SECOND;
        happens(stream, 10);
        drain.step();
        now += 5 * SECOND;
        drain.step();
        assertThat(log.readable).hasSize(20);
        assertThat(recorder.dropped()).isEqualTo(1_000);
        assertThat(log.noted).isEqualTo(1_000);
        assertThat(said).hasSize(2);
        assertThat(said.get(0)).contains("No space left on device");
        assertThat(said.get(1)).contains("again; 1000 events were lost");
    }

    @Test
    void aDiskThatStaysFullIsAskedLessAndLessOften() {
        Drain drain = drain(TraceFilter.ALL);
        log.full = true;
        for (int i = 0; i < 2_000; i++) {
            happens(stream, 1);
            now += SECOND / 20;
            drain.step();
        }
        // The drain tries at 0, 0.1, 0.3, 0.7, 1.5, 3.1, 6.3, 12.7 s and then every 10 s of the 100.
        assertThat(log.refusedWrites).isBetween(14, 18);
        assertThat(recorder.dropped()).isEqualTo(2_000);
    }

    @Test
    void whateverFailsAndWheneverEveryEventIsReadableOrCounted() {
        long first = Seed.value();
        for (long seed = first; seed < first + 50; seed++) {
            Random random = new Random(seed);
            Drain drain = drain(TraceFilter.ALL);
            log.readable.clear();
            long droppedBefore = recorder.dropped();
            int givenBefore = given;
            for (int i = 0; i < 200; i++) {
                log.full = random.nextInt(3) == 0;
                happens(stream, random.nextInt(i % 50 == 0 ? 2_000 : 20));
                now += random.nextInt(4) * SECOND;
                drain.step();
            }
            drain.finish();
            assertThat(log.readable.size() + recorder.dropped() - droppedBefore)
                    .as("seed %d", seed)
                    .isEqualTo(given - givenBefore);
        }
    }

    @Test
    void eventsThatFoundNoPlaceInTheBuffersAreNotedInTheTraceOnce() {
        Drain drain = drain(TraceFilter.ALL);
        for (int i = 0; i < 5; i++) {
            happens(stream, SLOTS + 100);
            now += SECOND;
            drain.step();
        }
        drain.finish();
        assertThat(recorder.dropped()).isEqualTo(500);
        assertThat(log.noted).isEqualTo(recorder.dropped());
        assertThat(log.readable.size() + log.noted).isEqualTo(given);
    }

    @Test
    void whatTheFilterLeavesOutIsNeitherWrittenNorDropped() {
        Drain drain = drain(new TraceFilter(Set.of(Call.SEEK), List.of("/kept"), List.of(), 1));
        StreamRecorder other = recorder.stream(new FileSystemInstance(1, "ann"), recorder.nextStream(), "/left/out");
        happens(stream, 3);
        happens(other, 4);
        stream.call(Call.HFLUSH, now, now, -1, -1, -1, "", "");
        log.full = true;
        now++;
        drain.step();
        assertThat(recorder.dropped()).isEqualTo(3);
        log.full = false;
        now += SECOND;
        happens(stream, 2);
        happens(other, 2);
        drain.finish();
        assertThat(log.readable).hasSize(2).allMatch(event -> event.path().equals("/kept/a"));
        assertThat(recorder.dropped()).isEqualTo(3);
    }

    @Test
    void aCallThatCannotBeIsDroppedAndThoseBehindItAreNot() {
        Drain drain = drain(TraceFilter.ALL);
        stream.call(Call.PREAD, now, now, -5, 10, 10, "", "");
        happens(stream, 1);
        drain.finish();
        assertThat(log.readable).extracting(TraceEvent::call).containsExactly(Call.SEEK);
        assertThat(recorder.dropped()).isEqualTo(1);
    }
}
