// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.power.Loss;
import io.packing.power.PowerDisk;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A log whose process was killed before it forced its last record. The next process reads that record from the operating system's memory and
 * goes on from it. A later loss of power must not take it, since later records are stable.
 */
class KilledLogPowerLossTest {
    private static final int LOSSES = 40;

    private final Random random = Seed.random();

    private static FileLog open(PowerDisk disk) throws IOException {
        return FileLog.open(disk.root().resolve("log"), 1 << 20, true);
    }

    private static void append(FileLog log, long position) throws IOException {
        log.append(position, ByteBuffer.allocate(1_000).putLong(position).array());
    }

    private static List<Long> records(PowerDisk disk) throws IOException {
        List<Long> found = new ArrayList<>();
        try (FileLog log = open(disk)) {
            log.replay(payload -> found.add(ByteBuffer.wrap(payload).getLong()));
        }
        return found;
    }

    @ParameterizedTest
    @EnumSource
    void aRecordThatTheNextProcessReadIsStable(Loss loss) throws IOException {
        PowerDisk disk = new PowerDisk();
        try (FileLog killed = open(disk)) {
            append(killed, 1);
            killed.sync();
            append(killed, 2);
        }
        assertThat(records(disk)).containsExactly(1L, 2L);
        try (FileLog next = open(disk)) {
            append(next, 3);
            next.sync();
        }
        for (int i = 0; i < LOSSES; i++) {
            assertThat(records(disk.afterLoss(loss, random))).containsExactly(1L, 2L, 3L);
        }
    }
}
