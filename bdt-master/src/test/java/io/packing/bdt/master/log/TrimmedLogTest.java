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
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A log whose old segments are deleted while the power may go. A replay writes all records again, so a segment that is there again
 * without one of its successors would take rows of the store back to old states.
 */
class TrimmedLogTest {
    private static final int RECORDS = 8;
    private static final int LOSSES = 40;

    private final Random random = Seed.random();

    private static FileLog open(PowerDisk disk) throws IOException {
        // Each record fills a segment.
        return FileLog.open(disk.root().resolve("log"), 1, true);
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
    void aTrimmedLogHasNoHole(Loss loss) throws IOException {
        PowerDisk disk = new PowerDisk();
        List<PowerDisk> left = new ArrayList<>();
        try (FileLog log = open(disk)) {
            for (long i = 0; i < RECORDS; i++) {
                log.append(i, ByteBuffer.allocate(Long.BYTES).putLong(i).array());
                log.sync();
            }
            disk.onForce(forced -> left.add(forced.afterLoss(loss, random)));
            log.trim();
            for (int i = 0; i < LOSSES; i++) {
                left.add(disk.afterLoss(loss, random));
            }
        }
        for (PowerDisk each : left) {
            List<Long> found = records(each);
            assertThat(found)
                    .isEqualTo(LongStream.range(found.get(0), RECORDS).boxed().toList());
        }
    }
}
