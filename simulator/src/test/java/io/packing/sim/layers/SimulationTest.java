// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.layers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.typesafe.config.ConfigFactory;
import io.packing.sim.ListSource;
import io.packing.sim.RunResult;
import io.packing.sim.Scale;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import io.packing.trace.TraceOrigin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A test with small traces whose results can be computed by hand. */
class SimulationTest {
    private static final long MS = 1_000_000;
    private static final int KIB = 1024;
    private static final String FLUSHER = "RS_FLUSH_OPERATIONS-regionserver/a:1-0";
    private static final String COMPACTOR = "regionserver/a:1-longCompactions-0";
    private static final String HANDLER = "RpcServer.default.FPBQ.Fifo.handler=1";

    private final List<TraceEvent> events = new ArrayList<>();

    private void move(String host, long ms, Call call, String thread, String path, long offset, long bytes) {
        events.add(new TraceEventBuilder(call)
                        .origin(new TraceOrigin(host, 1, "regionserver"))
                        .at(ms * MS, ms * MS)
                        .caller(thread, "hbase", "")
                        .stream(1)
                        .path(path)
                        .range(offset, bytes)
                        .result(bytes)
                        .build());
    }

    private void path(long ms, Call call, String path, String target) {
        events.add(new TraceEventBuilder(call)
                .origin(new TraceOrigin("a", 1, "regionserver"))
                .at(ms * MS, ms * MS)
                .path(path)
                .target(target)
                .result(1)
                .build());
    }

    private RunResult run(String changes) throws IOException {
        return run(changes, 3);
    }

    private RunResult run(String changes, int machines) throws IOException {
        SimulatorOptions config = ConfigReader.read(ConfigFactory.parseString(changes));
        return new Simulation(config, Scale.FULL)
                .run(List.of(new ListSource(events)), machines, List.of("a", "b", "c"), played -> {});
    }

    private static double kib(RunResult result, String metric) {
        return result.metric(metric) * 1e12 / KIB;
    }

    @Test
    void aWriteIsStoredOnThreeMachinesAndCrossesTheNetworkTwice() throws IOException {
        move("a", 0, Call.WRITE, FLUSHER, "/f", 0, 64 * KIB);
        RunResult all = run("hdfs.observe = all, ram.size = 1 MiB");
        // Metrics are per machine: each of the three stores one replica; two of them received it.
        assertThat(kib(all, "fs-writes-tb")).isCloseTo(64, within(1e-6));
        assertThat(kib(all, "net-reads-tb")).isCloseTo(128.0 / 3, within(1e-6));
        assertThat(kib(run("hdfs.observe = 0, ram.size = 1 MiB"), "net-reads-tb"))
                .isZero();
    }

    @Test
    void aRingOfOneMachineStoresAllReplicas() throws IOException {
        move("a", 0, Call.WRITE, FLUSHER, "/f", 0, 64 * KIB);
        RunResult mirror = run("ram.size = 1 MiB", 1);
        assertThat(kib(mirror, "fs-writes-tb")).isCloseTo(192, within(1e-6));
        assertThat(kib(mirror, "net-reads-tb")).isCloseTo(128, within(1e-6));
    }

    @Test
    void aFileIsCutIntoLocalFilesAtTheBordersOfBlocks() throws IOException {
        // Two local files of 64 KiB on two disks at once: 10 ms of seek and then 16 blocks of 0.04096 ms, on average
        // 8.5 of them.
        move("a", 0, Call.WRITE, FLUSHER, "/f", 0, 128 * KIB);
        RunResult result = run("hdfs.block = 64 KiB, ram.size = 1 MiB");
        assertThat(result.metric("disk-ms")).isCloseTo(10.34816, within(1e-4));
        assertThat(kib(result, "fs-writes-tb")).isCloseTo(128, within(1e-6));
    }

    @Test
    void smallWritesBecomeBlocksOfFourKilobytes() throws IOException {
        move("a", 0, Call.WRITE, "sync.0", "/hbase/WALs/a/1", 0, 100);
        move("a", 100, Call.WRITE, "sync.0", "/hbase/WALs/a/1", 100, 100);
        RunResult result = run("ram.size = 1 MiB");
        assertThat(kib(result, "disk-writes-tb")).isCloseTo(8, within(1e-6));
        assertThat(result.metric("disk-requests-per-min-log")).isGreaterThan(0);
    }

    @Test
    void aSecondReadHitsAndAWriteIsOnlyCachedWhenThePolicySaysSo() throws IOException {
        move("a", 0, Call.WRITE, FLUSHER, "/f", 0, 64 * KIB);
        move("a", 100, Call.PREAD, HANDLER, "/f", 0, 64 * KIB);
        move("a", 200, Call.PREAD, HANDLER, "/f", 0, 64 * KIB);
        assertThat(run("ram.size = 1 MiB").metric("hit-rate")).isEqualTo(0.5);
        assertThat(run("ram.size = 1 MiB, cache.writes = write-allocate").metric("hit-rate"))
                .isEqualTo(1);
        assertThat(run("ram.size = 1 MiB, cache.writes = write-hints").metric("hit-rate"))
                .isEqualTo(1);
    }

    @Test
    void hintsDoNotCacheWhatALongCompactionWrites() throws IOException {
        move("a", 0, Call.WRITE, COMPACTOR, "/f", 0, 64 * KIB);
        move("a", 100, Call.PREAD, HANDLER, "/f", 0, 64 * KIB);
        assertThat(run("ram.size = 1 MiB, cache.writes = write-hints").metric("hit-rate"))
                .isZero();
    }

    @Test
    void theForegroundWaitsForSeekTransferAndNothingForRam() throws IOException {
        move("a", 0, Call.PREAD, HANDLER, "/f", 0, 4 * KIB);
        move("a", 100, Call.PREAD, HANDLER, "/f", 0, 4 * KIB);
        // 10 ms + 0.04096 ms once, 0 once.
        assertThat(run("ram.size = 1 MiB").metric("foreground-ms")).isCloseTo(10.04096 / 2, within(1e-6));
        // RAM has one page, which another read has evicted: the third read costs the flash's half millisecond.
        events.clear();
        move("a", 0, Call.PREAD, HANDLER, "/f", 0, 4 * KIB);
        move("a", 100, Call.PREAD, HANDLER, "/g", 0, 4 * KIB);
        move("a", 200, Call.PREAD, HANDLER, "/f", 0, 4 * KIB);
        assertThat(run("ram.size = 4 KiB, flash.size = 8 KiB").metric("foreground-ms"))
                .isCloseTo((2 * 10.04096 + 0.5) / 3, within(1e-6));
    }

    @Test
    void wearGivesTheLifeOfTheFlash() throws IOException {
        // RAM has one page: of 101 pages read, 100 are evicted to flash, within 100 s.
        for (int i = 0; i <= 100; i++) {
            move("a", i * 1000L, Call.PREAD, HANDLER, "/f", i * 4096L, 4096);
        }
        RunResult result = run("ram.size = 4 KiB, flash.size = 400 KiB");
        // The flash has room for 100 pages, 10,000 times each: 10,000 times 100 s.
        assertThat(result.metric("flash-years")).isCloseTo(1e6 / (365.25 * 86_400), within(1e-6));
    }

    @Test
    void aCrashEmptiesRam() throws IOException {
        move("a", 0, Call.PREAD, HANDLER, "/f", 0, 4 * KIB);
        move("a", 100, Call.PREAD, HANDLER, "/f", 0, 4 * KIB);
        move("a", 200, Call.PREAD, HANDLER, "/f", 0, 4 * KIB);
        assertThat(run("ram.size = 1 MiB").metric("hit-rate")).isCloseTo(2.0 / 3, within(1e-9));
        assertThat(run("ram.size = 1 MiB, run.crash-at = 150ms").metric("hit-rate"))
                .isCloseTo(1.0 / 3, within(1e-9));
    }

    @Test
    void localCompactionTradesNetworkForReadsOfTheReplicas() throws IOException {
        move("b", 0, Call.READ, COMPACTOR, "/in", 0, 64 * KIB);
        move("b", 1, Call.WRITE, COMPACTOR, "/out", 0, 64 * KIB);
        RunResult now = run("hdfs.observe = all, ram.size = 1 MiB");
        assertThat(kib(now, "net-reads-tb")).isCloseTo(128.0 / 3, within(1e-6));
        assertThat(kib(now, "disk-reads-tb")).isCloseTo(64.0 / 3, within(1e-6));
        RunResult bypass = run("hdfs.observe = all, hdfs.architecture = mid-bypass, ram.size = 1 MiB");
        assertThat(kib(bypass, "net-reads-tb")).isZero();
        assertThat(kib(bypass, "disk-reads-tb")).isCloseTo(64, within(1e-6));
    }

    @Test
    void topReplicationSendsOnlyLogs() throws IOException {
        move("b", 0, Call.WRITE, FLUSHER, "/f", 0, 64 * KIB);
        move("b", 1, Call.WRITE, "sync.1", "/hbase/WALs/b/1", 0, 32 * KIB);
        RunResult result = run("hdfs.observe = all, hdfs.architecture = top-replicated, ram.size = 1 MiB");
        assertThat(kib(result, "net-reads-tb")).isCloseTo(64.0 / 3, within(1e-6));
    }

    @Test
    void combinedLogsAreWrittenWithoutSeeks() throws IOException {
        for (int i = 0; i < 30; i++) {
            for (String host : List.of("a", "b", "c")) {
                move(host, 100L * i, Call.WRITE, "sync.1", "/hbase/WALs/" + host + "/1", i * 4096L, 4096);
            }
        }
        // Two disks: three separate logs share them; combined, only the very first write seeks.
        RunResult separate = run("disks.count = 2, ram.size = 1 MiB");
        RunResult combined = run("disks.count = 2, ram.size = 1 MiB, hdfs.logging = combined");
        assertThat(separate.metric("disk-exec-ms-log")).isGreaterThan(5);
        assertThat(combined.metric("disk-exec-ms-log")).isCloseTo((10 + 90 * 0.04096) / 90, within(1e-4));
    }

    @Test
    void aDeletedFileLeavesTheCacheAndItsDirtyBufferIsNeverWritten() throws IOException {
        move("a", 0, Call.WRITE, FLUSHER, "/f", 0, 64 * KIB);
        path(100, Call.RENAME, "/f", "/g");
        path(200, Call.DELETE, "/g", "");
        move("a", 300, Call.PREAD, HANDLER, "/g", 0, 64 * KIB);
        RunResult result = run("ram.size = 1 MiB, flash.size = 1 MiB, buffer.threshold = 1 MiB");
        assertThat(result.metric("disk-writes-tb")).isZero();
        assertThat(result.metric("hit-rate")).isZero();
    }

    @Test
    void aFileThatOutgrowsTheBufferIsWrittenWhole() throws IOException {
        move("a", 0, Call.WRITE, FLUSHER, "/f", 0, 64 * KIB);
        move("a", 100, Call.WRITE, FLUSHER, "/f", 64 * KIB, 64 * KIB);
        RunResult result = run("ram.size = 1 MiB, flash.size = 1 MiB, buffer.threshold = 100 KiB");
        assertThat(kib(result, "disk-writes-tb")).isCloseTo(128, within(1e-6));
    }

    @Test
    void jitterKeepsBytesAndChangesNoCount() throws IOException {
        for (int i = 0; i < 1000; i++) {
            move("a", i, Call.PREAD, HANDLER, "/f" + i % 7, i * 4096L, 4096);
        }
        RunResult calm = run("ram.size = 1 MiB");
        RunResult jittered = run("ram.size = 1 MiB, run.jitter = 10ms");
        assertThat(jittered.metric("fs-reads-tb")).isEqualTo(calm.metric("fs-reads-tb"));
        assertThat(jittered.metric("late-events")).isZero();
        assertThat(run("ram.size = 1 MiB, run.jitter = 10ms")).isEqualTo(jittered);
    }

    @Test
    void eventsOutOfOrderArePutInOrderOrCounted() throws IOException {
        move("a", 0, Call.PREAD, HANDLER, "/f", 0, 4096);
        move("a", 500, Call.PREAD, HANDLER, "/f", 0, 4096);
        move("a", 100, Call.PREAD, HANDLER, "/f", 0, 4096);
        assertThat(run("ram.size = 1 MiB").metric("late-events")).isEqualTo(1);
        assertThat(run("ram.size = 1 MiB, run.reorder = 1s").metric("late-events"))
                .isZero();
    }

    @Test
    void whatIsUnknownOrFailedIsCounted() throws IOException {
        path(0, Call.UNKNOWN, "", "");
        path(1, Call.TRUNCATE, "/f", "");
        events.add(new TraceEventBuilder(Call.OPEN)
                .at(2 * MS, 2 * MS)
                .error("FileNotFoundException")
                .build());
        move("a", 3, Call.PREAD, HANDLER, "/f", TraceEvent.NONE, 4096);
        RunResult result = run("ram.size = 1 MiB");
        assertThat(result.metric("unknown-calls")).isEqualTo(1);
        assertThat(result.metric("unmodelled-calls")).isEqualTo(1);
        assertThat(result.metric("failed-calls")).isEqualTo(1);
        assertThat(result.metric("placeless-calls")).isEqualTo(1);
    }

    @Test
    void anEmptyTraceIsRefused() {
        assertThatThrownBy(() -> run("")).hasMessageContaining("the trace is empty");
    }

    @Test
    void moreMachinesThanTheRingAreRefusedByName() {
        move("a", 0, Call.WRITE, FLUSHER, "/f", 0, 1);
        move("z", 1, Call.WRITE, FLUSHER, "/g", 0, 1);
        assertThatThrownBy(() -> new Simulation(ConfigReader.read(ConfigFactory.empty()), Scale.FULL)
                        .run(List.of(new ListSource(events)), 1, List.of(), played -> {}))
                .hasMessageContaining("one more is 'z'");
    }

    @Test
    void costsAreThoseOfTable33() throws IOException {
        move("a", 0, Call.PREAD, HANDLER, "/f", 0, 1);
        RunResult a0 = run("ram.size = 10 GB, disks.count = 10");
        RunResult a1 = run("ram.size = 10 GB, disks.count = 10, flash.size = 60 GB");
        assertThat(a0.metric("capex")).isEqualTo(1050);
        assertThat(a1.metric("capex")).isEqualTo(1098);
        // 4 percent of 1,000 dollars of disks and of 50 dollars of RAM; the flash is not worn.
        assertThat(a1.metric("opex")).isCloseTo(42, within(1e-9));
    }

    @Test
    void aFasterPaceAndBurstsMoveEvents() throws IOException {
        // Two reads of two files that share the only disk, 40 ms apart; each takes 10.04096 ms.
        move("a", 0, Call.PREAD, HANDLER, "/f", 0, 4096);
        move("a", 40, Call.PREAD, HANDLER, "/g", 0, 4096);
        assertThat(run("disks.count = 1").metric("foreground-ms")).isCloseTo(10.04096, within(1e-4));
        // At four times the pace, the second comes while the first one is served.
        assertThat(run("disks.count = 1, run.pace = 4").metric("foreground-ms"))
                .isCloseTo((10.04096 + 10.08192) / 2, within(1e-4));
        assertThat(run("disks.count = 1, run.burst = 50ms").metric("foreground-ms"))
                .isCloseTo((10.04096 + 20.08192) / 2, within(1e-4));
        // Played in the first fifth of each 50 ms, the second comes after 8 ms.
        assertThat(run("disks.count = 1, run.burst = 50ms, run.burst-share = 0.2")
                        .metric("foreground-ms"))
                .isCloseTo((10.04096 + 12.08192) / 2, within(1e-4));
        assertThatThrownBy(() -> run("run.pace = 0")).hasMessageContaining("run.pace: above 0");
        assertThatThrownBy(() -> run("run.burst-share = 2")).hasMessageContaining("run.burst-share: from 0 to 1");
    }

    @Test
    void everyTierTakesAPolicyByName() throws IOException {
        for (int page : new int[] {1, 2, 3, 1, 4, 5, 6, 1}) {
            move("a", events.size(), Call.PREAD, HANDLER, "/f", page * 4L * KIB, 4 * KIB);
        }
        // LRU has lost page 1 before its third read; SIEVE has kept it.
        String ram = "flash.size = 0, hdfs.observe = 0, ram.size = 12 KiB, ram.policy = ";
        assertThat(run(ram + "lru").metric("hit-rate")).isEqualTo(1 / 8.0);
        assertThat(run(ram + "sieve").metric("hit-rate")).isEqualTo(2 / 8.0);
        String flash = "flash.hit = keep, hdfs.observe = 0, ram.size = 0, flash.size = 12 KiB, flash.policy = ";
        assertThat(run(flash + "lru").metric("hit-rate")).isEqualTo(1 / 8.0);
        assertThat(run(flash + "sieve").metric("hit-rate")).isEqualTo(2 / 8.0);
    }
}
