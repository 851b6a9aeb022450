// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.CommittedFile;
import io.packing.bdt.Durability;
import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FooterWriter;
import io.packing.blob.PackedFile;
import io.packing.power.Loss;
import io.packing.power.PowerDisk;
import io.packing.power.PowerStore;
import io.packing.seed.Seed;
import io.packing.worker.api.BufferValues;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A buffer of a {@code synced} mount keeps every closed file at any loss of power, with any loss of unforced writes and
 * names. Repeat a run with {@code -Dpacking.seed=N}.
 */
@ParameterizedClass
@EnumSource(BufferValues.class)
@Timeout(60)
final class BufferPowerLossTest {
    /** Random lives of segments; no two have the same. */
    private final Random tags = Seed.random();

    private static final Loss[] LOSSES = Loss.values();

    @Parameter
    private BufferValues place = BufferValues.SEGMENT;

    private final long seed = Seed.value();
    /** The fate of unforced writes, independent of the worker's steps. */
    private final Random fate = new Random(seed + 1);

    /** The disk of a machine, and the files that must be found there. */
    private record Machine(PowerDisk disk, PowerStore index, PowerStore values, Map<Long, byte[]> wanted, String fate) {
        /** Returns the machine after a loss of its power. */
        Machine afterLoss(Loss loss, Random random) {
            return new Machine(
                    disk.afterLoss(loss, random),
                    index.afterLoss(loss, random),
                    values.afterLoss(loss, random),
                    new TreeMap<>(wanted),
                    fate + ", " + loss);
        }
    }

    private final Machine machine =
            new Machine(new PowerDisk(), new PowerStore(), new PowerStore(), new TreeMap<>(), "seed " + seed);
    /** The time, which lets the index be written after some steps and not after others. */
    private long nanos;

    private final List<Machine> losses = new ArrayList<>();

    private FileBuffer open(Machine on, String boot) throws IOException {
        return FileBuffer.open(
                on.disk.root().resolve("mount").resolve("segments"),
                TestLimits.of(Durability.SYNCED),
                new FileBuffer.Stores(on.index, Optional.of(on.values), place),
                () -> 1L << 40,
                () -> nanos += fate.nextInt(3) * BufferCheckpoints.MOST_NANOS / 2,
                tags::nextInt,
                boot);
    }

    /** Loses the power in two ways: at worst, and at random. */
    private void lose() {
        losses.add(machine.afterLoss(Loss.ALL, fate));
        losses.add(machine.afterLoss(LOSSES[fate.nextInt(LOSSES.length)], fate));
    }

    /** Plays some minutes of a worker's life, with a loss before and after each force and after each step. */
    private void live(Random random) throws IOException, InterruptedException {
        machine.disk.onForce(disk -> lose());
        try (FileBuffer buffer = open(machine, "first")) {
            Appender appender = new Appender(buffer, Scheduling.alone(() -> 0));
            Map<Long, BufferedFile> ungranted = new TreeMap<>();
            Map<Long, byte[]> contents = new HashMap<>();
            for (long id = 1; id < 50; ) {
                for (int group = 1 + random.nextInt(3); group > 0; group--, id++) {
                    byte[] bytes = new byte[random.nextInt(4_000)];
                    random.nextBytes(bytes);
                    contents.put(id, bytes);
                    ungranted.put(id, write(buffer, appender, id, bytes, Way.of(random.nextInt(12))));
                }
                appender.step();
                for (BufferedFile file : List.copyOf(ungranted.values())) {
                    assertThat(file.appended()).isCompleted();
                    if (random.nextInt(3) > 0) {
                        ungranted.remove(file.id());
                        buffer.granted(file, 1_000 + file.id());
                        machine.wanted.put(file.id(), contents.getOrDefault(file.id(), new byte[0]));
                    }
                }
                if (random.nextInt(4) == 0 && !machine.wanted.isEmpty()) {
                    forget(buffer, List.copyOf(machine.wanted.keySet()).get(random.nextInt(machine.wanted.size())));
                }
                if (random.nextInt(4) == 0) {
                    push(buffer);
                }
                lose();
            }
        }
        lose();
    }

    private void forget(FileBuffer buffer, long id) throws IOException {
        machine.wanted.remove(id);
        buffer.forget(id);
    }

    /** The ways of a file into the buffer. */
    private enum Way {
        SMALL,
        SHARED_SLICES,
        SLICES;

        private static Way of(int drawn) {
            return drawn == 0 ? SLICES : drawn <= 2 ? SHARED_SLICES : SMALL;
        }
    }

    private static BufferedFile write(FileBuffer buffer, Appender appender, long id, byte[] bytes, Way way)
            throws IOException {
        FilePath path = new FilePath("/f" + id);
        FileAttributes attributes = new FileAttributes(bytes.length, 1, "o", "g", 0644);
        // An empty file is never large.
        if (way == Way.SMALL || bytes.length == 0) {
            return appender.append(id, path, attributes, Codec.NONE, ByteBuffer.wrap(bytes));
        }
        // Every other file's slices stay in memory until it ends.
        Semaphore memory = new Semaphore((int) (id % 2) << 20);
        SliceWriter slices = new SliceWriter(buffer, id, path, Codec.NONE, 1 << 20, memory);
        slices.append(ByteBuffer.wrap(bytes, 0, bytes.length / 2));
        slices.append(ByteBuffer.wrap(bytes, bytes.length / 2, bytes.length - bytes.length / 2));
        return way == Way.SLICES
                ? slices.finish(attributes)
                : slices.share(appender, attributes).orElseThrow();
    }

    /** Seals and commits one segment, as a packer and a heartbeat do. */
    private void push(FileBuffer buffer) throws IOException {
        Optional<BufferSegment> taken = buffer.selection().takeSegment(false);
        if (taken.isEmpty()) {
            return;
        }
        Map<BufferedFile, List<Extent>> placed = new HashMap<>();
        for (BufferedFile file : buffer.selection().living(taken.get())) {
            placed.put(
                    file,
                    buffer.parts(file).orElseThrow().stream()
                            .filter(part -> part.segment() == taken.get())
                            .map(BufferedFile.Part::extent)
                            .toList());
        }
        if (taken.get().file().isPresent()) {
            FileChannel channel = taken.get().file().get().channel();
            channel.truncate(taken.get().position());
            assertThat(FooterWriter.finish(channel, packed(placed)).length()).isPositive();
        }
        lose();
        PushReport report = buffer.selection().pushed(new PushedBlob(new BlobName("w", 100, 1), 200), placed);
        buffer.selection().release(taken.get(), false);
        for (CommittedFile commit : report.files()) {
            forget(buffer, commit.version().id());
        }
    }

    private static List<PackedFile> packed(Map<BufferedFile, List<Extent>> placed) {
        return placed.entrySet().stream()
                .map(file -> new PackedFile(
                        file.getKey().version(),
                        file.getKey().path(),
                        file.getKey().attributes(),
                        file.getValue()))
                .toList();
    }

    /** A random one of the moments of a start at which the power may go. A start forces each segment, and all copies of a disk are large. */
    private final class NextLoss {
        private final Machine of;
        private Optional<Machine> left = Optional.empty();
        private int moments;

        NextLoss(Machine of) {
            this.of = of;
        }

        private void mayBeNow() {
            if (fate.nextInt(++moments) == 0) {
                left = Optional.of(of.afterLoss(LOSSES[fate.nextInt(LOSSES.length)], fate));
            }
        }
    }

    /** Starts after a loss, and returns the machine after another one, at one of the forces of the start or after it. */
    private Machine check(Machine left, String boot) throws IOException {
        NextLoss next = new NextLoss(left);
        left.disk.onForce(disk -> next.mayBeNow());
        try (FileBuffer buffer = open(left, boot)) {
            for (Map.Entry<Long, byte[]> file : left.wanted.entrySet()) {
                Optional<BufferedFile> found = buffer.find(file.getKey());
                assertThat(found).as("%s: file %d", left.fate, file.getKey()).isPresent();
                assertThat(read(buffer, found.orElseThrow())).as(left.fate).isEqualTo(ByteBuffer.wrap(file.getValue()));
                // The version may be unknown, and is never another one.
                assertThat(found.orElseThrow().version().generation())
                        .as("%s: the version of file %d", left.fate, file.getKey())
                        .isIn(0L, file.getKey() == 1_000 ? 5_000 : 1_000 + file.getKey());
            }
            assertThat(buffer.reclaims().page(0, 1_000).stream()
                            .map(each -> each.version().id()))
                    .as(left.fate)
                    .containsAll(left.wanted.keySet());
            // The buffer goes on working.
            Appender appender = new Appender(buffer, Scheduling.alone(() -> 0));
            BufferedFile more = write(buffer, appender, 1_000, new byte[500], Way.SMALL);
            stepUntilPlaced(appender, more);
            buffer.granted(more, 5_000);
            left.wanted.put(1_000L, new byte[500]);
        }
        next.mayBeNow();
        return next.left.orElseThrow();
    }

    private static void stepUntilPlaced(Appender appender, BufferedFile file) throws IOException {
        try {
            appender.step();
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
        assertThat(file.appended()).isCompleted();
    }

    private static ByteBuffer read(FileBuffer buffer, BufferedFile file) throws IOException {
        ByteBuffer all = ByteBuffer.allocate((int) file.attributes().length());
        for (BufferedFile.Part part : buffer.parts(file).orElseThrow()) {
            Extent extent = part.extent();
            ByteBuffer bytes = ExtentCodec.decode("test", extent, part.segment().read(extent));
            all.put((int) extent.fileOffset(), bytes, bytes.position(), extent.length());
        }
        return all;
    }

    @Test
    void aClosedFileSurvivesPowerLossAtAnyPoint() throws Exception {
        System.out.printf("BufferPowerLossTest %s: seed %d%n", place, seed);
        live(new Random(seed));
        assertThat(losses).hasSizeGreaterThan(50);
        for (Machine left : losses) {
            Machine unused = check(check(left, "second"), "third");
        }
    }
}
