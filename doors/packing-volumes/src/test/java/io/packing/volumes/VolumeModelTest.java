// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packing.blob.FilePath;
import io.packing.nbd.DeviceRange;
import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random changes of volumes, their snapshots and clones, beside arrays that have the same changes. */
class VolumeModelTest {
    private static final int SIZE = 3 << 20;
    private static final int STEPS = Integer.getInteger("packing.volume.steps", 1_500);
    /** Limits that a few steps reach: groups go to the table, and the table is looked up, all the time. */
    private static final VolumeMemory SMALL = new VolumeMemory(512 << 10, 128 << 10, 256 << 10, Duration.ofMillis(20));

    @TempDir
    Path home;

    private final Random random = Seed.random();
    private final byte[] model = new byte[SIZE];
    private final BitSet written = new BitSet();

    @Test
    void aVolumeIsAnArray() throws Exception {
        ExecutorService background = Executors.newSingleThreadExecutor();
        try (TestMount mount = TestMount.start(home)) {
            mount.files().create(TestMount.VOLUME, SIZE);
            Volume volume = open(mount, background);
            Map<FilePath, byte[]> copies = new HashMap<>();
            for (int i = 0; i < STEPS; i++) {
                if (random.nextInt(100) == 0) {
                    volume.close();
                    copy(mount, copies);
                    volume = open(mount, background);
                }
                if (random.nextInt(100) == 0) {
                    Void unused = volume.flush().get();
                    copy(mount, copies);
                }
                step(volume);
            }
            check(volume);
            volume.close();
            volume = open(mount, background);
            check(volume);
            volume.close();
            assertTrue(copies.size() > 1, "some copies were made");
            for (Map.Entry<FilePath, byte[]> copy : copies.entrySet()) {
                Volume of = Volume.open(mount.mount(), copy.getKey(), true, SMALL, background);
                assertArrayEquals(
                        copy.getValue(), read(of, 0, SIZE), copy.getKey().value());
                of.close();
            }
        } finally {
            background.shutdown();
        }
    }

    private static Volume open(TestMount mount, ExecutorService background) throws IOException {
        return Volume.open(mount.mount(), TestMount.VOLUME, false, SMALL, background);
    }

    private void copy(TestMount mount, Map<FilePath, byte[]> copies) throws IOException {
        FilePath path;
        if (random.nextBoolean()) {
            path = mount.files().snapshot(TestMount.VOLUME, "s" + copies.size());
        } else {
            path = new FilePath("/c" + copies.size());
            mount.files().clone(TestMount.VOLUME, path);
        }
        copies.put(path, model.clone());
    }

    private void step(Volume volume) throws Exception {
        int unit = random.nextInt(4) == 0 ? 1 : 512;
        int offset = random.nextInt(SIZE / unit) * unit;
        int length = Math.min(SIZE - offset, (1 + random.nextInt(random.nextInt(8) == 0 ? 400 : 16)) * unit);
        switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                volume.write(offset, ByteBuffer.wrap(bytes));
                System.arraycopy(bytes, 0, model, offset, length);
                written.set(offset, offset + length);
            }
            case 4, 5 -> {
                // Often the end: a file must not become shorter.
                int end = random.nextInt(5) == 0 ? SIZE : offset + length;
                volume.punch(offset, end - offset);
                Arrays.fill(model, offset, end, (byte) 0);
                written.clear(offset, end);
            }
            case 6 -> {
                Void unused = volume.flush().get();
            }
            case 7 -> {
                int at = offset;
                for (DeviceRange range : volume.ranges(offset, length, Integer.MAX_VALUE)) {
                    assertEquals(at, range.offset());
                    boolean isHole = range.isHole();
                    for (int i = at; i < range.end(); i++) {
                        assertEquals(isHole, !written.get(i), "hole at " + i);
                    }
                    at = (int) range.end();
                }
                assertEquals(offset + length, at);
            }
            default ->
                assertArrayEquals(
                        Arrays.copyOfRange(model, offset, offset + length),
                        read(volume, offset, length),
                        "at " + offset);
        }
    }

    private void check(Volume volume) throws IOException {
        assertArrayEquals(model, read(volume, 0, SIZE));
        List<DeviceRange> ranges = volume.ranges(0, SIZE, Integer.MAX_VALUE);
        long data = ranges.stream()
                .filter(range -> !range.isHole())
                .mapToLong(DeviceRange::length)
                .sum();
        assertEquals(written.cardinality(), data);
    }

    private static byte[] read(Volume volume, int offset, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length + 7).position(3).limit(3 + length);
        volume.read(offset, into);
        return Arrays.copyOfRange(into.array(), 3, 3 + length);
    }
}
