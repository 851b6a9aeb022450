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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A worker of a {@code synced} mount knows the granted versions of its files after a loss of power. Without them a master that lost its
 * disk cannot tell which of two versions of a name is newer, and keeps one beside its name.
 */
@ParameterizedClass
@EnumSource(BufferValues.class)
final class GrantedVersionsPowerLossTest {
    private static final long FILE = 7;
    private static final long GENERATION = 1_007;

    private final Random random = Seed.random();
    private final PowerDisk disk = new PowerDisk();
    private final PowerStore index = new PowerStore();
    private final PowerStore values = new PowerStore();

    /** Stands still: no checkpoint is due, unless a test moves it. */
    private final AtomicLong nanos = new AtomicLong();

    @Parameter
    private BufferValues place = BufferValues.SEGMENT;

    private FileBuffer open(PowerDisk on, PowerStore with, PowerStore of, String boot) throws IOException {
        return FileBuffer.open(
                on.root().resolve("mount").resolve("segments"),
                TestLimits.of(Durability.SYNCED),
                new FileBuffer.Stores(with, Optional.of(of), place),
                () -> 1L << 40,
                nanos::get,
                random::nextInt,
                boot);
    }

    private static void write(FileBuffer buffer) throws IOException, InterruptedException {
        buffer.granted(append(new Appender(buffer, Scheduling.alone(() -> 0))), GENERATION);
    }

    private static BufferedFile append(Appender appender) throws IOException, InterruptedException {
        BufferedFile file = appender.append(
                FILE,
                new FilePath("/f"),
                new FileAttributes(500, 1, "o", "g", 0644),
                Codec.NONE,
                ByteBuffer.allocate(500));
        appender.step();
        assertThat(file.appended()).isCompleted();
        return file;
    }

    private long generationAfterLoss() throws IOException {
        try (FileBuffer buffer = open(
                disk.afterLoss(Loss.ALL, random),
                index.afterLoss(Loss.ALL, random),
                values.afterLoss(Loss.ALL, random),
                "second")) {
            return buffer.find(FILE).orElseThrow().version().generation();
        }
    }

    @Test
    void aVersionSurvivesALossAfterACheckpoint() throws IOException, InterruptedException {
        FileBuffer buffer = open(disk, index, values, "first");
        write(buffer);
        buffer.checkpoints().take();
        assertThat(generationAfterLoss()).isEqualTo(GENERATION);
    }

    /** No later file wakes the appender, which waits for one without an end. */
    @Test
    @Timeout(60)
    void theVersionOfALoneFileSurvivesALoss() throws Exception {
        FileBuffer buffer = open(disk, index, values, "first");
        Appender appender = new Appender(buffer, Scheduling.alone(() -> 0));
        BufferedFile file = append(appender);
        // Takes the ring of the append.
        appender.step(1);
        nanos.set(BufferCheckpoints.MOST_NANOS);
        CompletableFuture<Void> step = CompletableFuture.runAsync(() -> {
            try {
                appender.step(TimeUnit.DAYS.toMillis(1));
            } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        buffer.granted(file, GENERATION);
        Void unused = step.get();
        assertThat(generationAfterLoss()).isEqualTo(GENERATION);
    }

    /** The process that noted the version was killed before it forced the note. The next one answers reads of that version. */
    @Test
    void aVersionThatAStartHasReadSurvivesALoss() throws IOException, InterruptedException {
        write(open(disk, index, values, "first"));
        FileBuffer again = open(disk, index, values, "first");
        assertThat(again.find(FILE).orElseThrow().version().generation()).isEqualTo(GENERATION);
        assertThat(generationAfterLoss()).isEqualTo(GENERATION);
    }
}
