// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileWriter;
import io.packing.trace.TraceSelection;
import io.packing.trace.synth.SynthOptions;
import io.packing.trace.synth.SynthTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.apache.hadoop.conf.Configuration;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that the jobs find the paper's figures again, from which the synthetic trace was made. */
class PipelineTest {
    /**
     * The events of three of the synthetic trace's large trees; half a tree would be rounded, and compactions would
     * read too much.
     */
    private static final long EVENTS = 3_570_000;

    private static final double SCALE = EVENTS / 5.2e9;
    private static final Percentage CLOSE = Percentage.withPercentage(2);
    /** The precision of figures that depend on the three large trees of compactions in such a short trace. */
    private static final Percentage COARSE = Percentage.withPercentage(15);

    @TempDir
    private static Path directory;

    private static Findings findings = new Findings(new Totals(), empty(), Set.of());

    private static InputReport empty() {
        return new InputReport(0, 0, 0, 0, 0, 0, 0, 0, List.of());
    }

    @BeforeAll
    static void analyze() throws IOException, InterruptedException {
        int file = 0;
        try (SynthTrace trace = SynthTrace.open(SynthOptions.of(EVENTS, 5))) {
            for (Optional<TraceEvent> event = trace.next(); event.isPresent(); file++) {
                try (TraceFileWriter writer = TraceFileWriter.create(directory.resolve("synth-" + file + ".htfs"))) {
                    for (int i = 0; i < EVENTS / 3 && event.isPresent(); i++) {
                        writer.write(event.get());
                        event = trace.next();
                    }
                }
            }
        }
        findings = new Pipeline(
                        new Configuration(),
                        new org.apache.hadoop.fs.Path(directory.resolve("work").toUri()),
                        2,
                        TraceSelection.ALL,
                        (number, of, what) -> {})
                .run(Rules.hbase(), List.of(new org.apache.hadoop.fs.Path(directory.toUri())));
    }

    @Test
    void everyEventIsReadOnce() {
        assertThat(findings.input().isWhole()).isTrue();
        assertThat((double) findings.input().events()).isCloseTo(EVENTS, CLOSE);
        assertThat(findings.calls().values().stream()
                        .mapToLong(Findings.CallUse::events)
                        .sum())
                .isEqualTo(findings.input().events());
    }

    @Test
    void causesOfIoAreThoseOfFigure32() {
        Map<String, Findings.ReadWrite> io = findings.ioByCause();
        assertThat(io.keySet()).containsExactlyInAnyOrder("get", "flush", "logging", "compaction");
        assertThat((double) findings.coreIo().total()).isCloseTo(47e12 * SCALE, CLOSE);
        assertThat(findings.coreIo().readShare()).isCloseTo(0.99, CLOSE);
        assertThat((double) findings.allIo().total()).isCloseTo(71e12 * SCALE, COARSE);
        assertThat(findings.allIo().readShare()).isCloseTo(0.79, COARSE);
    }

    @Test
    void dataTouchedIsThatOfFigures33And34() {
        Findings.Touched core = requireNonNull(findings.liveData().get("core"));
        assertThat((double) core.total()).isCloseTo(3.9e12 * SCALE, CLOSE);
        assertThat(findings.ioPerByte().get("PrefetchMeta")).isCloseTo(15, COARSE);
        assertThat(findings.ioPerByte().get("log")).isEqualTo(1);
    }

    @Test
    void heatIsThatOfFigure38() {
        SortedMap<Integer, Long> data = findings.heatOfData();
        SortedMap<Integer, Long> io = findings.heatOfIo();
        double all = data.values().stream().mapToLong(Long::longValue).sum();
        double allIo = io.values().stream().mapToLong(Long::longValue).sum();
        assertThat(allIo).isEqualTo((double) findings.allIo().read());
        assertThat(data.getOrDefault(0, 0L) / all).isCloseTo(0.737, COARSE);
        assertThat(io.getOrDefault(0, 0L) / allIo).isCloseTo(0.19, COARSE);
        assertThat(data.getOrDefault(6, 0L) / all).isCloseTo(0.011, COARSE);
    }

    @Test
    void theLocalityMapIsThatOfFigure37() {
        Map<String, double[]> map = findings.localityMap();
        assertThat(share(map, "0", 5)).as("within 32 minutes").isCloseTo(0.26, within(0.006));
        assertThat(share(map, "0", 2)).as("within 4 minutes").isLessThan(0.002);
        assertThat(share(map, "1KB", 0)).as("sequential").isCloseTo(0.25, within(0.03));
        assertThat(share(map, "64KB", 0)).as("no more within 64 KB").isCloseTo(share(map, "1KB", 0), within(0.002));
    }

    @Test
    void renamesDoNotMakeNewFiles() {
        // The paper's trace has 862 thousand: a renamed file counts once.
        assertThat((double) findings.filesSeen()).isCloseTo(862_000 * SCALE, COARSE);
        assertThat(findings.createdFiles().getOrDefault("small", 0L)
                        / (double) findings.createdFiles().values().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                .isCloseTo(0.94, CLOSE);
        assertThat(findings.deletedWithin("small", 60)).isCloseTo(0.17, within(0.01));
    }

    private static double share(Map<String, double[]> map, String line, int column) {
        return requireNonNull(map.get(line))[column];
    }
}
