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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bytes that a worker may send to the store while their segment fills survive any loss of power from then on. */
@Timeout(60)
final class SentBytesPowerLossTest {
    private static final int FILES = 100;
    private static final String SEGMENT = "%012d.segment";

    private final Random random = new Random(Seed.value());
    private final PowerDisk disk = new PowerDisk();
    private final List<Lost> losses = new ArrayList<>();

    /** A disk after a loss of power, and the bytes of a segment that could be sent before. */
    private record Lost(PowerDisk disk, long segment, long sendable) {}

    private static Path segments(PowerDisk disk) {
        return disk.root().resolve("mount").resolve("segments");
    }

    private static long sendable(FileBuffer buffer, BufferSegment segment) {
        try {
            return buffer.filling().awaitBeyond(segment, 0, 1).bytes();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void onlyBytesThatSurviveALossOfPowerAreSent() throws IOException, InterruptedException {
        BufferLimits limits = TestLimits.of(Durability.SYNCED);
        FileBuffer.Stores stores = new FileBuffer.Stores(new PowerStore(), Optional.empty(), BufferValues.SEGMENT);
        byte[][] whole = new byte[FILES][];
        try (FileBuffer buffer =
                FileBuffer.open(segments(disk), limits, stores, () -> 1L << 40, () -> 0, random::nextInt, "boot")) {
            disk.onForce(before -> lose(buffer));
            Appender appender = new Appender(buffer, Scheduling.alone(() -> 0));
            for (int id = 1; id < FILES; id++) {
                byte[] bytes = new byte[1 + random.nextInt(3_000)];
                random.nextBytes(bytes);
                FileAttributes attributes = new FileAttributes(bytes.length, 1, "o", "g", 0644);
                BufferedFile unused =
                        appender.append(id, new FilePath("/f" + id), attributes, Codec.NONE, ByteBuffer.wrap(bytes));
                appender.step();
                lose(buffer);
            }
            for (Lost lost : losses) {
                Path path = segments(disk).resolve(SEGMENT.formatted(lost.segment));
                whole[(int) lost.segment] = Files.readAllBytes(path);
            }
        }
        assertThat(losses).anyMatch(lost -> lost.sendable > 10_000);
        for (Lost lost : losses) {
            byte[] sent = Arrays.copyOf(whole[(int) lost.segment], (int) lost.sendable);
            Path path = segments(lost.disk).resolve(SEGMENT.formatted(lost.segment));
            byte[] left = Files.exists(path) ? Files.readAllBytes(path) : new byte[0];
            // The start of a segment is synced with its first record; alone it is worth no PUT.
            if (lost.sendable > SegmentStart.SIZE) {
                assertThat(Arrays.copyOf(left, sent.length)).isEqualTo(sent);
            }
        }
    }

    private void lose(FileBuffer buffer) {
        for (BufferSegment segment : buffer.contents()) {
            losses.add(new Lost(disk.afterLoss(Loss.ALL, random), segment.number(), sendable(buffer, segment)));
        }
    }
}
