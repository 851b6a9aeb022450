// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers of a volume: the one that opened it first takes no further write, and changes nothing. */
class SecondWriterTest {
    private static final int SIZE = 1 << 20;

    @TempDir
    Path home;

    private static void write(Volume volume, int offset, byte value) throws IOException {
        volume.write(offset, ByteBuffer.wrap(new byte[] {value}));
    }

    private static void sync(Volume volume, int offset, byte value) throws IOException, InterruptedException {
        write(volume, offset, value);
        try {
            Void unused = volume.flush().get();
        } catch (ExecutionException e) {
            throw assertInstanceOf(IOException.class, e.getCause());
        }
    }

    private static byte read(Volume volume, int offset) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        volume.read(offset, one);
        return one.get(0);
    }

    @Test
    void theLastOneToOpenItGoesOn() throws Exception {
        ExecutorService background = Executors.newSingleThreadExecutor();
        try (TestMount mount = TestMount.start(home)) {
            mount.files().create(TestMount.VOLUME, SIZE);
            Volume first = Volume.open(mount.mount(), TestMount.VOLUME, false, VolumeMemory.USUAL, background);
            write(first, 0, (byte) 1);
            Void unused = first.flush().get();
            // What the first one has synced, the second one plays, be it in the map by now or not.
            Volume second = Volume.open(mount.mount(), TestMount.VOLUME, false, VolumeMemory.USUAL, background);
            assertEquals(1, read(second, 0));
            // It learns so from its log or from its map, whichever it comes to first.
            assertThrows(IOException.class, () -> sync(first, 0, (byte) 2));
            assertThrows(IOException.class, () -> write(first, 1, (byte) 2));
            assertThrows(IOException.class, first::close);
            write(second, 1, (byte) 3);
            unused = second.flush().get();
            second.close();
            Volume third = Volume.open(mount.mount(), TestMount.VOLUME, true, VolumeMemory.USUAL, background);
            assertEquals(1, read(third, 0));
            assertEquals(3, read(third, 1));
            assertThrows(IOException.class, () -> write(third, 1, (byte) 2));
            third.close();
        } finally {
            background.shutdown();
        }
    }
}
