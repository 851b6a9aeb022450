// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.packing.blob.FilePath;
import io.packing.nbd.DeviceRange;
import io.packing.seed.Seed;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
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
    private static final FilePath KNOWN = new FilePath("/known");
    private static final int STEPS = Integer.getInteger("packing.volume.steps", 1_500);
    private static final int SHARED_STEPS = STEPS / 2;
    /** Limits that a few steps reach: groups go to the table, and the table is looked up, all the time. */
    private static final VolumeMemory SMALL = new VolumeMemory(512 << 10, 128 << 10, 256 << 10, Duration.ofMillis(20));

    @TempDir
    Path home;

    private final Random random = Seed.random();
    /** The blocks that a test writes often; empty: all bytes are random. */
    private final List<byte[]> often = new ArrayList<>();

    private VolumeSharing sharing = VolumeSharing.NONE;
    private final byte[] model = new byte[SIZE];
    private final BitSet written = new BitSet();
    /** The bytes of blocks of zeros, which may be holes. */
    private final BitSet unsure = new BitSet();

    private long shared;

    @Test
    void aVolumeIsAnArray() throws Exception {
        play(STEPS);
    }

    /** Copies of blocks within the volume, of those of another file, and of zeros, in an index that forgets most of them. */
    @Test
    void aVolumeWhoseBlocksAreSharedIsAnArray() throws Exception {
        for (int i = 0; i < 20; i++) {
            byte[] block = new byte[BlockIndex.BLOCK];
            random.nextBytes(block);
            often.add(block);
        }
        sharing = new VolumeSharing(64, List.of(KNOWN));
        play(SHARED_STEPS);
        assertTrue(shared > 0, "some blocks were shared");
    }

    private void play(int steps) throws Exception {
        ExecutorService background = Executors.newSingleThreadExecutor();
        try (TestMount mount = TestMount.start(home)) {
            mount.files().create(TestMount.VOLUME, SIZE);
            writeKnown(mount);
            Volume volume = open(mount, background);
            Map<FilePath, byte[]> copies = new HashMap<>();
            for (int i = 0; i < steps; i++) {
                if (random.nextInt(100) == 0) {
                    close(volume);
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
            close(volume);
            volume = open(mount, background);
            check(volume);
            close(volume);
            assertTrue(copies.size() > 0, "some copies were made");
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

    private Volume open(TestMount mount, ExecutorService background) throws IOException {
        return Volume.open(mount.mount(), TestMount.VOLUME, false, SMALL, sharing, background);
    }

    private void close(Volume volume) throws IOException {
        volume.close();
        shared += volume.sharedBytes();
    }

    private void writeKnown(TestMount mount) throws IOException {
        try (PackingOutput out = mount.mount().create(KNOWN, new CreateOptions("", "", 0644, true, true))) {
            for (byte[] block : often) {
                out.write(block, 0, block.length);
            }
        }
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
                if (!often.isEmpty() && random.nextInt(3) > 0) {
                    offset = offset / BlockIndex.BLOCK * BlockIndex.BLOCK;
                    length = Math.min(SIZE - offset, (1 + random.nextInt(6)) * BlockIndex.BLOCK);
                }
                byte[] bytes = bytes(length);
                volume.write(offset, ByteBuffer.wrap(bytes));
                System.arraycopy(bytes, 0, model, offset, length);
                written.set(offset, offset + length);
                unsure.clear(offset, offset + length);
                clearZeros(offset, offset + length);
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
            case 7 -> checkRanges(volume, offset, length);
            default ->
                assertArrayEquals(
                        Arrays.copyOfRange(model, offset, offset + length),
                        read(volume, offset, length),
                        "at " + offset);
        }
    }

    /** Returns random bytes; with blocks that are written often, mostly some of these, or those of the volume elsewhere. */
    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        for (int at = 0; !often.isEmpty() && at + BlockIndex.BLOCK <= length; at += BlockIndex.BLOCK) {
            int choice = random.nextInt(4);
            if (choice == 0) {
                int from = random.nextInt(SIZE / BlockIndex.BLOCK) * BlockIndex.BLOCK;
                System.arraycopy(model, from, bytes, at, BlockIndex.BLOCK);
            } else if (choice < 3) {
                System.arraycopy(often.get(random.nextInt(often.size())), 0, bytes, at, BlockIndex.BLOCK);
            }
        }
        return bytes;
    }

    private void check(Volume volume) throws Exception {
        Void unused = volume.flush().get();
        assertArrayEquals(model, read(volume, 0, SIZE));
        checkRanges(volume, 0, SIZE);
    }

    private void checkRanges(Volume volume, int offset, int length) {
        int at = offset;
        for (DeviceRange range : volume.ranges(offset, length, Integer.MAX_VALUE)) {
            assertEquals(at, range.offset());
            boolean isHole = range.isHole();
            for (int i = at; i < range.end(); i++) {
                assertTrue(unsure.get(i) || isHole == !written.get(i), "hole at " + i);
            }
            at = (int) range.end();
        }
        assertEquals(offset + length, at);
    }

    /**
     * Blocks of zeros that are written become holes where equal blocks are shared. Those of several writes may be one block for the log, and a
     * later write into a block may leave the others' zeros in the log.
     */
    private void clearZeros(int from, int end) {
        if (often.isEmpty()) {
            return;
        }
        for (int at = from / BlockIndex.BLOCK * BlockIndex.BLOCK; at < end; at += BlockIndex.BLOCK) {
            int to = Math.min(SIZE, at + BlockIndex.BLOCK);
            if (Arrays.equals(model, at, to, new byte[BlockIndex.BLOCK], 0, to - at)) {
                unsure.set(at, to);
            }
        }
    }

    private static byte[] read(Volume volume, int offset, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length + 7).position(3).limit(3 + length);
        volume.read(offset, into);
        return Arrays.copyOfRange(into.array(), 3, 3 + length);
    }
}
