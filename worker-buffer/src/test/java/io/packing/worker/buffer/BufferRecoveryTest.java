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
import io.packing.blob.SealPolicy;
import io.packing.seed.Seed;
import io.packing.worker.api.BufferValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The buffer keeps all granted files that it has not forgotten, even if its index lacks them or lags behind. */
@ParameterizedClass
@EnumSource(BufferValues.class)
final class BufferRecoveryTest {
    /** Random lives of segments; no two have the same. */
    private final Random tags = Seed.random();

    private static final String BOOT = "boot";
    private static final int SHARED = 1;
    private static final int SMALL = 2;

    @Parameter
    private BufferValues place = BufferValues.SEGMENT;

    @TempDir
    private Path temp;

    private RecordingStore index = new RecordingStore(store -> {});
    /** The time, which lets the index be written after every step. */
    private long nanos;

    private RecordingStore values = new RecordingStore(store -> {});

    /** The remains of a crash, and the files that must be found in them. */
    private record Crash(Path directory, RecordingStore index, RecordingStore values, Map<Long, byte[]> wanted) {}

    private final List<Crash> crashes = new ArrayList<>();
    /** The granted files that are not forgotten, which a restart must find. */
    private final Map<Long, byte[]> wanted = new TreeMap<>();

    private FileBuffer open(Path directory, RecordingStore index, RecordingStore values, String boot)
            throws IOException {
        return FileBuffer.open(
                directory,
                new BufferLimits(
                        1L << 30,
                        20_000,
                        0,
                        SealPolicy.SealOptions.age(Duration.ofHours(1)),
                        Duration.ofSeconds(1),
                        Duration.ofMillis(50),
                        Durability.BUFFERED),
                new FileBuffer.Stores(index, Optional.of(values), place),
                () -> 1L << 40,
                () -> nanos += BufferCheckpoints.MOST_NANOS,
                tags::nextInt,
                boot);
    }

    private void crashNow(Path directory) throws IOException {
        Path copy = Files.createDirectory(temp.resolve("crash" + crashes.size()));
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        crashes.add(new Crash(copy, index.copy(), values.copy(), new TreeMap<>(wanted)));
    }

    private static byte[] bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static FileAttributes attributes(long length) {
        return new FileAttributes(length, 1, "o", "g", 0644);
    }

    /** Plays some minutes of a worker's life, with a crash before and after each write of the index. */
    private void live(Random random) throws IOException, InterruptedException {
        Path directory = Files.createDirectory(temp.resolve("segments"));
        index = new RecordingStore(store -> crashNow(directory));
        values = new RecordingStore(store -> crashNow(directory));
        try (FileBuffer buffer = open(directory, index, values, BOOT)) {
            Appender appender = new Appender(buffer, Scheduling.alone(() -> 0));
            Map<Long, BufferedFile> ungranted = new TreeMap<>();
            Map<Long, byte[]> contents = new HashMap<>();
            for (long id = 1; id < 120; id++) {
                byte[] bytes = bytes(random, random.nextInt(4_000));
                contents.put(id, bytes);
                ungranted.put(id, write(buffer, appender, id, bytes, random.nextInt(15)));
                for (BufferedFile file : List.copyOf(ungranted.values())) {
                    if (random.nextInt(3) == 0) {
                        ungranted.remove(file.id());
                        buffer.granted(file, 1_000 + file.id());
                        wanted.put(file.id(), contents.get(file.id()));
                    }
                }
                if (random.nextInt(4) == 0 && !wanted.isEmpty()) {
                    long gone = wanted.keySet().stream()
                            .skip(random.nextInt(wanted.size()))
                            .findFirst()
                            .orElseThrow();
                    wanted.remove(gone);
                    buffer.forget(gone);
                }
                if (random.nextInt(6) == 0) {
                    push(buffer);
                }
                if (random.nextInt(12) == 0) {
                    // No file comes for a while: the index is written, when all segments may be gone.
                    appender.step();
                }
                crashNow(directory);
            }
        }
    }

    private static BufferedFile write(FileBuffer buffer, Appender appender, long id, byte[] bytes)
            throws IOException, InterruptedException {
        return write(buffer, appender, id, bytes, SMALL);
    }

    /** @param way of the file: in slices of its own, in slices that share a segment, or whole */
    private static BufferedFile write(FileBuffer buffer, Appender appender, long id, byte[] bytes, int way)
            throws IOException, InterruptedException {
        FilePath path = new FilePath("/f" + id);
        // An empty file is never large.
        if (way <= SHARED && bytes.length > 0) {
            SliceWriter slices = new SliceWriter(buffer, id, path, Codec.NONE);
            slices.append(ByteBuffer.wrap(bytes, 0, bytes.length / 2));
            slices.append(ByteBuffer.wrap(bytes, bytes.length / 2, bytes.length - bytes.length / 2));
            BufferedFile file = way == SHARED
                    ? slices.share(appender, attributes(bytes.length)).orElseThrow()
                    : slices.finish(attributes(bytes.length));
            appender.step();
            return file;
        }
        BufferedFile file = appender.append(id, path, attributes(bytes.length), Codec.NONE, ByteBuffer.wrap(bytes));
        appender.step();
        return file;
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
        PushReport report = buffer.selection().pushed(new PushedBlob(new BlobName("w", 100, 1), 200), placed);
        buffer.selection().release(taken.get(), false);
        for (CommittedFile commit : report.files()) {
            wanted.remove(commit.version().id());
            buffer.forget(commit.version().id());
        }
    }

    /** Checks the wanted files after the restart, and again when the buffer has gone on. */
    private void check(Crash crash, String boot, String context) throws IOException, InterruptedException {
        try (FileBuffer buffer = open(crash.directory(), crash.index(), crash.values(), boot)) {
            checkFiles(buffer, crash.wanted(), context);
            for (long id : crash.wanted().keySet()) {
                assertThat(buffer.find(id).orElseThrow().version().generation())
                        .as("%s: the granted version of file %d", context, id)
                        .isEqualTo(1_000 + id);
            }
            assertThat(buffer.reclaims().page(0, 1_000).stream()
                            .map(each -> each.version().id()))
                    .as(context)
                    .containsAll(crash.wanted().keySet());
            Map<Long, byte[]> all = new TreeMap<>(crash.wanted());
            Appender appender = new Appender(buffer, Scheduling.alone(() -> 0));
            for (long id = 1_000; id < 1_004; id++) {
                byte[] bytes = bytes(new Random(id), 300);
                buffer.granted(write(buffer, appender, id, bytes), id);
                all.put(id, bytes);
            }
            checkFiles(buffer, all, context + ", later");
        }
    }

    private static void checkFiles(FileBuffer buffer, Map<Long, byte[]> wanted, String context) throws IOException {
        for (Map.Entry<Long, byte[]> file : wanted.entrySet()) {
            Optional<BufferedFile> found = buffer.find(file.getKey());
            assertThat(found).as("%s: file %d", context, file.getKey()).isPresent();
            assertThat(read(buffer, found.orElseThrow())).as(context).isEqualTo(ByteBuffer.wrap(file.getValue()));
        }
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
    void aCrashAtAnyStepLosesNothing() throws Exception {
        long seed = Seed.value();
        live(new Random(seed));
        assertThat(crashes).hasSizeGreaterThan(200);
        for (int i = 0; i < crashes.size(); i++) {
            check(crashes.get(i), BOOT, "seed %d crash %d".formatted(seed, i));
        }
    }

    @Test
    void theIndexIsRebuiltFromTheSegmentsAtAnyStep() throws Exception {
        long seed = Seed.value();
        live(new Random(seed));
        for (int i = 0; i < crashes.size(); i += 3) {
            Crash crash = crashes.get(i);
            String context = "seed %d crash %d".formatted(seed, i);
            if (i % 2 == 0) {
                RecordingStore none = new RecordingStore(s -> {});
                check(new Crash(crash.directory(), none, crash.values(), crash.wanted()), BOOT, context);
            } else {
                check(crash, "another boot", context);
            }
        }
    }

    @Test
    void aRestartScansOnlyWhatIsNewerThanTheCheckpoint() throws Exception {
        Path directory = Files.createDirectory(temp.resolve("segments"));
        RecordingStore left;
        try (FileBuffer buffer = open(directory, index, values, BOOT)) {
            Appender appender = new Appender(buffer, Scheduling.alone(() -> 0));
            for (long id = 1; id <= 10; id++) {
                buffer.granted(write(buffer, appender, id, new byte[500]), id);
            }
            appender.step();
            write(buffer, appender, 11, new byte[700]);
            left = index.copy();
        }
        try (FileBuffer buffer = open(directory, left, values, BOOT)) {
            assertThat(buffer.bufferedFiles()).isEqualTo(11);
            assertThat(buffer.scannedBytes()).isBetween(700L, 1_000L);
        }
        try (FileBuffer buffer = open(directory, left, values, BOOT)) {
            assertThat(buffer.scannedBytes()).isZero();
        }
        try (FileBuffer buffer = open(directory, left, values, "after a power failure")) {
            assertThat(buffer.bufferedFiles()).isEqualTo(11);
            assertThat(buffer.scannedBytes()).isGreaterThan(5_700L);
        }
    }

    @Test
    void aNewSegmentIsNotTakenForOneThatIsStillBeingDeleted() throws Exception {
        Path directory = Files.createDirectory(temp.resolve("segments"));
        try (FileBuffer buffer = open(directory, index, values, BOOT)) {
            Appender appender = new Appender(buffer, Scheduling.alone(() -> 0));
            for (long id = 1; id <= 3; id++) {
                buffer.granted(write(buffer, appender, id, new byte[20_000]), id);
            }
            for (long id = 3; id >= 1; id--) {
                buffer.forget(id);
            }
        }
        try (FileBuffer buffer = open(directory, index, values, BOOT)) {
            assertThat(buffer.bufferedFiles()).isZero();
            Appender appender = new Appender(buffer, Scheduling.alone(() -> 0));
            Map<Long, byte[]> later = new TreeMap<>();
            for (long id = 10; id < 15; id++) {
                later.put(id, bytes(new Random(id), 200));
                buffer.granted(write(buffer, appender, id, later.get(id)), id);
            }
            checkFiles(buffer, later, "after the restart");
        }
    }
}
