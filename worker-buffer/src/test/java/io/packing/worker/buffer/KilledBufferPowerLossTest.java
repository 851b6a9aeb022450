// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Durability;
import io.packing.blob.Codec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.power.Loss;
import io.packing.power.PowerDisk;
import io.packing.power.PowerStore;
import io.packing.seed.Seed;
import io.packing.worker.api.BufferValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A worker that was killed before it forced a file: the operating system's memory has the file for the next process, which may tell the
 * master of it. A later loss of power must not take the file back.
 */
final class KilledBufferPowerLossTest {
    private static final long FILE = 7;

    private final Random random = Seed.random();
    private final PowerDisk disk = new PowerDisk();

    private FileBuffer open(PowerDisk on, Durability durability, String boot) throws IOException {
        return FileBuffer.open(
                on.root().resolve("mount").resolve("segments"),
                TestLimits.of(durability),
                new FileBuffer.Stores(new PowerStore(), Optional.empty(), BufferValues.SEGMENT),
                () -> 1L << 40,
                () -> 0,
                random::nextInt,
                boot);
    }

    /** Writes a file without a force, as a process does that is killed before it. */
    private void writeAndKill() throws IOException, InterruptedException {
        FileBuffer buffer = open(disk, Durability.BUFFERED, "first");
        Appender appender = new Appender(buffer, Scheduling.alone(() -> 0));
        BufferedFile file = appender.append(
                FILE,
                new FilePath("/f"),
                new FileAttributes(500, 1, "o", "g", 0644),
                Codec.NONE,
                ByteBuffer.allocate(500));
        appender.step();
        assertThat(file.appended()).isCompleted();
    }

    @ParameterizedTest
    @EnumSource
    void aFileThatTheNextProcessReadIsStable(Loss loss) throws IOException, InterruptedException {
        writeAndKill();
        FileBuffer next = open(disk, Durability.SYNCED, "first");
        assertThat(next.find(FILE)).isPresent();
        try (FileBuffer buffer = open(disk.afterLoss(loss, random), Durability.SYNCED, "second")) {
            assertThat(buffer.find(FILE)).isPresent();
        }
    }
}
