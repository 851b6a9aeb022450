// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.desktop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.packing.sim.ListSource;
import io.packing.sim.RunResult;
import io.packing.sim.desktop.DesktopOptions.Fsync;
import io.packing.sim.desktop.DesktopOptions.Packing;
import io.packing.sim.desktop.DesktopOptions.Prefetch;
import io.packing.sim.desktop.DesktopOptions.Rename;
import io.packing.sim.device.SpinningDisk;
import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceEventBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A test with handwritten system calls on a disk of 10 ms and 100 MB/s: a page of 4,096 bytes takes 40.96 µs. */
class DesktopRunTest {
    private static final double SEEK = 0.01;
    private static final double PAGE = 4_096 / 100e6;
    private static final double EXACT = 1e-9;

    private final List<TraceEvent> events = new ArrayList<>();

    private static DesktopOptions config(int pages, Fsync fsync, Rename rename, Prefetch prefetch) {
        return new DesktopOptions(
                new SpinningDisk(10_000_000, 100_000_000),
                pages,
                4_096,
                0,
                fsync,
                rename,
                prefetch,
                new Packing(10_000, 25_000, 0.5));
    }

    private static DesktopOptions config(Fsync fsync, Rename rename, Prefetch prefetch) {
        return config(1_000, fsync, rename, prefetch);
    }

    private RunResult run(DesktopOptions config) throws IOException {
        return DesktopRun.of(new ListSource(events), config, played -> {});
    }

    private TraceEventBuilder call(Call call, long stream, String path) {
        long now = events.size() * 1_000L;
        return new TraceEventBuilder(call)
                .at(now, now).duration(1_000).stream(stream).path(path);
    }

    private void open(long stream, String path, long size, String hints) {
        events.add(
                call(Call.SYS_OPENAT, stream, path).fileSize(size).hints(hints).build());
    }

    private void move(Call call, long stream, String path, long offset, long length) {
        events.add(call(call, stream, path).range(offset, length).result(length).build());
    }

    private void on(Call call, long stream, String path) {
        events.add(call(call, stream, path).build());
    }

    @Test
    void aReadWaitsForTheDiskOnceAndThenFindsItsPages() throws IOException {
        open(1, "/a", 20_000, "flags=O_RDONLY");
        move(Call.SYS_READ, 1, "/a", 0, 8_192);
        move(Call.SYS_PREAD64, 1, "/a", 4_096, 4_096);
        RunResult result = run(config(Fsync.WAIT, Rename.FREE, Prefetch.NONE));
        assertThat(result.metric("read-seconds")).isCloseTo(SEEK + 2 * PAGE, within(EXACT));
        assertThat(result.metric("hit-rate")).isCloseTo(1 / 3.0, within(EXACT));
        assertThat(result.metric("disk-read-mb")).isCloseTo(0.008192, within(EXACT));
    }

    @Test
    void readingTheWholeFileAheadCostsTheFirstReadAndSavesTheNextSeeks() throws IOException {
        open(1, "/a", 40_960, "flags=O_RDONLY");
        move(Call.SYS_PREAD64, 1, "/a", 0, 100);
        move(Call.SYS_PREAD64, 1, "/a", 36_864, 100);
        RunResult ahead = run(config(Fsync.WAIT, Rename.FREE, Prefetch.FILE));
        assertThat(ahead.metric("read-seconds")).isCloseTo(SEEK + 10 * PAGE, within(EXACT));
        assertThat(ahead.metric("prefetched-mb")).isCloseTo(0.04096, within(EXACT));
        assertThat(ahead.metric("prefetched-used-mb")).isCloseTo(0.008192, within(EXACT));
        RunResult asked = run(config(Fsync.WAIT, Rename.FREE, Prefetch.NONE));
        assertThat(asked.metric("read-seconds")).isCloseTo(SEEK + PAGE + 8 * PAGE + PAGE, within(EXACT));
        assertThat(asked.metric("prefetched-mb")).isZero();
    }

    @Test
    void anFsyncWaitsForItsFilesPagesAndTheJournalOrForNothing() throws IOException {
        open(1, "/a", 0, "flags=O_WRONLY|O_CREAT created=true");
        move(Call.SYS_WRITE, 1, "/a", 0, 8_192);
        open(2, "/b", 0, "flags=O_WRONLY|O_CREAT created=true");
        move(Call.SYS_WRITE, 2, "/b", 0, 4_096);
        on(Call.SYS_FSYNC, 1, "/a");
        RunResult waits = run(config(Fsync.WAIT, Rename.FREE, Prefetch.NONE));
        assertThat(waits.metric("fsync-seconds")).isCloseTo(2 * SEEK + 3 * PAGE, within(EXACT));
        assertThat(waits.metric("fsyncs")).isEqualTo(1);
        // The other file's page is written at the end.
        assertThat(waits.metric("disk-written-mb")).isCloseTo(4 * 0.004096, within(EXACT));
        RunResult never = run(config(Fsync.NONE, Rename.FREE, Prefetch.NONE));
        assertThat(never.metric("fsync-seconds")).isZero();
        assertThat(never.metric("disk-written-mb")).isCloseTo(3 * 0.004096, within(EXACT));
    }

    @Test
    void aRenameIsFreeOrWaitsForTheJournalOrForItsFile() throws IOException {
        open(1, "/new", 0, "flags=O_WRONLY|O_CREAT created=true");
        move(Call.SYS_WRITE, 1, "/new", 0, 4_096);
        events.add(new TraceEventBuilder(Call.SYS_RENAME)
                .at(9_000, 9_000)
                .path("/new")
                .target("/old")
                .build());
        assertThat(run(config(Fsync.WAIT, Rename.FREE, Prefetch.NONE)).metric("rename-seconds"))
                .isZero();
        assertThat(run(config(Fsync.WAIT, Rename.JOURNAL, Prefetch.NONE)).metric("rename-seconds"))
                .isCloseTo(SEEK + PAGE, within(EXACT));
        assertThat(run(config(Fsync.WAIT, Rename.FLUSH, Prefetch.NONE)).metric("rename-seconds"))
                .isCloseTo(2 * SEEK + 2 * PAGE, within(EXACT));
    }

    @Test
    void aFileThatIsDeletedBeforeItIsWrittenNeverIs() throws IOException {
        open(1, "/a", 0, "flags=O_WRONLY|O_CREAT created=true");
        move(Call.SYS_WRITE, 1, "/a", 0, 8_192);
        on(Call.SYS_UNLINK, TraceEvent.NONE, "/a");
        assertThat(run(config(Fsync.WAIT, Rename.FREE, Prefetch.NONE)).metric("disk-written-mb"))
                .isZero();
    }

    @Test
    void dirtyPagesThatLeaveASmallCacheAreWritten() throws IOException {
        open(1, "/a", 0, "flags=O_WRONLY|O_CREAT created=true");
        move(Call.SYS_WRITE, 1, "/a", 0, 4 * 4_096);
        move(Call.SYS_READ, 1, "/a", 0, 4_096);
        RunResult result = run(config(2, Fsync.WAIT, Rename.FREE, Prefetch.NONE));
        assertThat(result.metric("disk-written-mb")).isCloseTo(4 * 0.004096, within(EXACT));
        assertThat(result.metric("disk-read-mb")).isCloseTo(0.004096, within(EXACT));
    }

    @Test
    void smallFilesArePackedIntoBlobsAndLargeOnesAreNot() throws IOException {
        for (int i = 0; i < 6; i++) {
            open(i, "/small" + i, 0, "flags=O_WRONLY|O_CREAT created=true");
            move(Call.SYS_WRITE, i, "/small" + i, 0, 5_000);
            on(Call.SYS_CLOSE, i, "/small" + i);
        }
        open(9, "/large", 0, "flags=O_WRONLY|O_CREAT created=true");
        move(Call.SYS_WRITE, 9, "/large", 0, 10_001);
        on(Call.SYS_CLOSE, 9, "/large");
        on(Call.SYS_CLOSE, 9, "/large");
        RunResult result = run(config(Fsync.WAIT, Rename.FREE, Prefetch.NONE));
        assertThat(result.metric("packed-files")).isEqualTo(6);
        assertThat(result.metric("whole-files")).isEqualTo(1);
        assertThat(result.metric("puts-direct")).isEqualTo(7);
        // 30,000 bytes are two blobs of 25,000.
        assertThat(result.metric("puts-packed")).isEqualTo(3);
        assertThat(result.metric("dollars-direct")).isEqualTo(3.5);
        assertThat(result.metric("dollars-packed")).isEqualTo(1.5);
    }

    @Test
    void theTimeBetweenCallsIsTheRecordings() throws IOException {
        on(Call.SYS_STAT, TraceEvent.NONE, "/a");
        events.add(new TraceEventBuilder(Call.SYS_STAT)
                .at(3_000_000_000L, 3_000_000_000L)
                .path("/a")
                .build());
        assertThat(run(config(Fsync.WAIT, Rename.FREE, Prefetch.NONE)).metric("seconds"))
                .isCloseTo(3, within(1e-5));
    }

    @Test
    void aTraceOfHdfsCallsIsRefused() {
        events.add(new TraceEventBuilder(Call.OPEN).path("/a").build());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run(config(Fsync.WAIT, Rename.FREE, Prefetch.NONE)))
                .withMessageContaining("no system calls");
    }
}
