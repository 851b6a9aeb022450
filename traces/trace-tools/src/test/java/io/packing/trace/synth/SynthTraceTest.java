// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A test that a short trace has the published numbers of the workload. It counts them plainly. */
class SynthTraceTest {
    private static final long EVENTS = 20_000_000;
    private static final double SCALE = EVENTS / 5.2e9;
    private static final Percentage CLOSE = Percentage.withPercentage(2);
    /**
     * The tolerance of numbers that depend on the 18 large trees of compactions in this trace: one tree is 5 percent.
     */
    private static final Percentage COARSE = Percentage.withPercentage(5);

    private static final long MINUTE = 60_000_000_000L;
    private static final long MB = 1 << 20;

    private static Tally tally = new Tally();

    @BeforeAll
    static void count() throws IOException {
        tally = Tally.of(SynthTrace.open(SynthOptions.of(EVENTS, 42)));
    }

    @Test
    void eventsAndBytesAreTheWantedPartOfThePapers() {
        assertThat((double) tally.events).isCloseTo(EVENTS, Percentage.withPercentage(1));
        assertThat(tally.read() + tally.written()).isCloseTo(71e12 * SCALE, CLOSE);
        assertThat((double) tally.lastNanos)
                .isCloseTo((double) SynthOptions.DEFAULT_LENGTH.toNanos(), Percentage.withPercentage(0.1));
    }

    @Test
    void causesOfIoAreThoseOfFigure32() {
        assertThat(tally.get + tally.flush).isCloseTo(47e12 * SCALE, CLOSE);
        assertThat(tally.get / (tally.get + tally.flush)).isCloseTo(0.99, CLOSE);
        assertThat(tally.read() / (tally.read() + tally.written())).isCloseTo(0.79, CLOSE);
        assertThat(tally.log / tally.flush).isCloseTo(10, COARSE);
        assertThat(tally.compactionWritten / tally.flush).isCloseTo(17, COARSE);
    }

    @Test
    void dataTouchedIsThatOfFigures33And34() {
        assertThat(tally.dataRead + tally.written() - tally.dataBoth).isCloseTo(26.5e12 * SCALE, CLOSE);
        assertThat(tally.coreLive).isCloseTo(3.9e12 * SCALE, CLOSE);
    }

    @Test
    void someFamiliesGetMoreIoForTheirDataThanOthersAsInFigure34() {
        assertThat(tally.ioPerByte("PrefetchMeta")).isCloseTo(15, CLOSE);
        assertThat(tally.ioPerByte("Keywords")).isCloseTo(1.1, COARSE);
    }

    @Test
    void readHeatIsThatOfFigure38() {
        assertThat(tally.dataReadOnce / tally.dataRead).isCloseTo(0.737, CLOSE);
        assertThat(tally.dataReadHot / tally.dataRead).isCloseTo(0.011, CLOSE);
        assertThat(tally.dataReadOnce / tally.read()).isCloseTo(0.19, CLOSE);
    }

    @Test
    void repeatsAndSequencesAreThoseOfTheLocalityMap() {
        assertThat(tally.repeatsIn32Min / (double) tally.reads).isCloseTo(0.26, CLOSE);
        assertThat(tally.repeatsIn4Min / (double) tally.reads).isLessThan(0.005);
        assertThat(tally.sequential / (double) tally.reads).isCloseTo(0.25, CLOSE);
    }

    @Test
    void filesCreatedHaveTheSizesOfSection333() {
        List<Tally.Seen> created = tally.created(f -> true);
        List<Tally.Seen> large = tally.created(f -> f.size >= 64 * MB);
        assertThat(share(tally.created(f -> f.size < 16 * MB), created)).isCloseTo(0.94, CLOSE);
        assertThat(share(large, created)).isCloseTo(0.04, within(0.002));
        assertThat(bytes(large) / bytes(created)).isCloseTo(0.89, CLOSE);
        assertThat((double) tally.files.size()).isCloseTo(862_000 * SCALE, COARSE);
        List<Tally.Seen> logs = tally.created(Tally.Seen::isLog);
        assertThat(bytes(logs) / logs.size()).isCloseTo(218 * MB, CLOSE);
    }

    @Test
    void filesLiveAsLongAsInFigure36() {
        List<Tally.Seen> small = tally.created(f -> f.size < 16 * MB);
        List<Tally.Seen> medium = tally.created(f -> f.size >= 16 * MB && f.size < 64 * MB);
        List<Tally.Seen> large = tally.created(f -> f.size >= 64 * MB);
        assertThat(share(diedWithin(small, MINUTE), small)).isCloseTo(0.17, CLOSE);
        assertThat(share(diedWithin(small, 5 * 60 * MINUTE), small)).isGreaterThan(0.95);
        assertThat(share(diedWithin(medium, 8 * 60 * MINUTE), medium)).isCloseTo(0.5, within(0.06));
        assertThat(share(diedWithin(large, Long.MAX_VALUE), large)).isCloseTo(0.14, within(0.03));
    }

    @Test
    void editsArePutsAndDeletes() {
        assertThat(tally.puts / (double) tally.deletes).isCloseTo(34.0 / 6, CLOSE);
    }

    @Test
    void theSameSeedGivesTheSameEventsAndAnotherOneOthers() {
        assertThat(first(1_000, 7)).isEqualTo(first(1_000, 7)).isNotEqualTo(first(1_000, 8));
    }

    @Test
    void allTimesShrinkWithTheLength() {
        SynthOptions hour = new SynthOptions(SynthOptions.LEAST_EVENTS, 1, Duration.ofHours(1), 0);
        long last = 0L;
        try (SynthTrace trace = SynthTrace.open(hour)) {
            for (Optional<TraceEvent> event = trace.next(); event.isPresent(); event = trace.next()) {
                last = event.get().monoNanos();
            }
        }
        assertThat((double) last).isCloseTo((double) Duration.ofHours(1).toNanos(), Percentage.withPercentage(0.1));
    }

    @Test
    void impossibleOptionsAreRefusedByName() {
        assertThatThrownBy(() -> SynthOptions.of(999, 1))
                .hasMessageContaining("999")
                .hasMessageContaining("1,000,000");
        assertThatThrownBy(() -> new SynthOptions(2_000_000, 1, Duration.ZERO, 0))
                .hasMessageContaining("length");
    }

    private static List<TraceEvent> first(int count, long seed) {
        List<TraceEvent> events = new ArrayList<>();
        try (SynthTrace trace = SynthTrace.open(SynthOptions.of(2_000_000, seed))) {
            while (events.size() < count) {
                events.add(trace.next().orElseThrow());
            }
        }
        return events;
    }

    private static List<Tally.Seen> diedWithin(List<Tally.Seen> files, long nanos) {
        return files.stream()
                .filter(f -> f.deleted >= 0 && f.deleted - f.created < nanos)
                .toList();
    }

    private static double share(List<?> part, List<?> all) {
        return part.size() / (double) all.size();
    }

    private static double bytes(List<Tally.Seen> files) {
        return files.stream().mapToDouble(f -> f.size).sum();
    }
}
