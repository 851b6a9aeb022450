// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.sim.BrokenInvariantException;
import io.packing.sim.Cause;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A test with cases computed by hand: 10 ms seek, 100 MB/s, so 1 MB takes 10 ms. */
class DiskSchedulerTest {
    private static final long MS = 1_000_000;
    private static final int MB = 1_000_000;

    private static final int BLOCK = 100_000;

    private final List<String> counted = new ArrayList<>();
    private final List<String> done = new ArrayList<>();
    private final DiskScheduler disk = scheduler(new SpinningDisk(10 * MS, 100 * MB));

    private DiskScheduler scheduler(Device device) {
        return new DiskScheduler(
                device, MB, BLOCK, 1000, (ticket, cause, write, blocks, blockNanos, arrived, ended, busy) -> {
                    done.add("%d ends %.2f busy %.2f".formatted(ticket, ended / 1e6, busy / 1e6));
                    counted.add("%d blocks %.2f ms".formatted(blocks, blockNanos / 1e6));
                });
    }

    private void read(long ms, int file, long offset, long length, int ticket) {
        disk.submit(ms * MS, file, offset, length, false, Cause.USER_READ, ticket);
    }

    @Test
    void aLoneRequestTakesASeekAndItsTransfer() {
        read(5, 1, 0, MB / 2, 1);
        disk.drain();
        assertThat(done).containsExactly("1 ends 20.00 busy 15.00");
    }

    @Test
    void adjacentRequestsOfAFileSeekOnce() {
        read(0, 1, 0, MB / 2, 1);
        read(0, 1, MB / 2, MB / 2, 2);
        disk.drain();
        assertThat(done).containsExactly("1 ends 15.00 busy 15.00", "2 ends 20.00 busy 5.00");
    }

    @Test
    void aShortDistanceWithinAFileCostsItsTransferTime() {
        read(0, 1, 0, MB / 10, 1);
        // 0.2 MB further on: 2 ms; and 50 MB further on: no more than a seek.
        read(0, 1, 3 * MB / 10, MB / 10, 2);
        read(0, 1, 50 * MB, MB / 10, 3);
        disk.drain();
        assertThat(done)
                .containsExactly("1 ends 11.00 busy 11.00", "2 ends 14.00 busy 3.00", "3 ends 25.00 busy 11.00");
    }

    @Test
    void filesTakeTurnsAfterOneMegabyte() {
        read(0, 1, 0, 3 * MB / 2, 1);
        read(0, 2, 0, MB / 2, 2);
        disk.drain();
        // File 1: 10 + 10 ms; file 2: 10 + 5; back to file 1: 10 + 5.
        assertThat(done).containsExactly("2 ends 35.00 busy 15.00", "1 ends 50.00 busy 35.00");
    }

    @Test
    void withinAFileTheHeadGoesUpAndThenBeginsAtTheLowestOffset() {
        read(0, 1, 10 * MB, MB / 10, 1);
        read(1, 1, 5 * MB, MB / 10, 2);
        read(1, 1, 20 * MB, MB / 10, 3);
        read(1, 1, 2 * MB, MB / 10, 4);
        disk.drain();
        assertThat(done).extracting(line -> line.substring(0, 1)).containsExactly("1", "3", "4", "2");
    }

    @Test
    void anIdleDiskStartsWhenTheRequestComes() {
        read(0, 1, 0, MB / 10, 1);
        read(100, 1, MB / 10, MB / 10, 2);
        disk.drain();
        assertThat(done).containsExactly("1 ends 11.00 busy 11.00", "2 ends 101.00 busy 1.00");
    }

    @Test
    void eachBlockOfARequestEndsWithItsOwnLastByte() {
        // 10 ms of seek, then a block each 1 ms: 11 + 12 + 13.
        read(0, 1, 0, 3 * BLOCK, 1);
        disk.drain();
        assertThat(counted).containsExactly("3 blocks 36.00 ms");
    }

    @Test
    void aRequestThatIsServedInPartsCountsItsBlocksAndTheirWaits() {
        read(0, 1, 0, 12 * BLOCK, 1);
        read(0, 2, 0, BLOCK / 2, 2);
        disk.drain();
        // File 1: ten blocks end at 11 to 20 ms; file 2: half a block at 30.5; file 1: two blocks at 41.5 and 42.5.
        assertThat(counted).containsExactly("1 blocks 30.50 ms", "12 blocks 239.00 ms");
    }

    @Test
    void timeThatGoesBackIsRefused() {
        read(5, 1, 0, 1, 1);
        assertThatThrownBy(() -> read(4, 1, 0, 1, 2)).isInstanceOf(BrokenInvariantException.class);
    }

    @Test
    void aQueueThatOnlyGrowsIsReportedAsOverload() {
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 2000; i++) {
                        read(0, i, 0, MB, i);
                    }
                })
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("1,000 requests wait");
    }

    @Test
    void aVolumeGivesOutItsOperationsInOrderAndAnswersLater() {
        DiskScheduler volume = scheduler(new CloudVolume(MS, 1000, 256 << 10, 100 * MB));
        volume.submit(0, 1, 0, 4096, false, Cause.USER_READ, 1);
        volume.submit(0, 2, 0, 512 << 10, true, Cause.LOG, 2);
        volume.drain();
        // One operation: 1 ms. Two operations by size: 2 ms, but 5.24 ms by bandwidth.
        assertThat(done).containsExactly("1 ends 2.00 busy 2.00", "2 ends 7.24 busy 6.24");
    }

    @Test
    void aFlashDriveAnswersManyAtOnce() {
        DiskScheduler drive = scheduler(new FlashDrive(80_000, 20_000, 1000 * MB, 500 * MB));
        drive.submit(0, 1, 0, 10_000, false, Cause.USER_READ, 1);
        drive.submit(0, 2, 0, 10_000, false, Cause.USER_READ, 2);
        drive.drain();
        assertThat(done).containsExactly("1 ends 0.09 busy 0.09", "2 ends 0.10 busy 0.09");
    }
}
