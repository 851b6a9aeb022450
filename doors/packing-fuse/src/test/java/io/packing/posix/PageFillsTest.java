package io.packing.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.seed.Seed;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** On a read-only mount, the kernel has what lies around a read before anybody asks for it. */
@Timeout(300)
class PageFillsTest {
    private static final int WINDOW = 1 << 20;
    private static final int PAGE = 4096;
    private static final int READERS = 4;
    private static final int READS = 400;

    private final Random random = Seed.random();

    @TempDir
    private Path home;

    @BeforeEach
    void assumeFuse() {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
    }

    private byte[] write(MountRig rig, String name, int length) throws IOException {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        CreateOptions options = new CreateOptions("0", "0", 0644, true, false);
        try (PackingOutput out = rig.files().create(FilePath.ROOT.child(name), options)) {
            out.write(bytes);
        }
        return bytes;
    }

    private static MappedByteBuffer map(Path file, long from, long length) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, from, length);
        }
    }

    private static void awaitLoaded(MappedByteBuffer part) throws InterruptedException {
        while (!part.isLoaded()) {
            Thread.sleep(5);
        }
    }

    @Test
    void oneReadBringsTheWholePartOfTheFile() throws Exception {
        try (MountRig rig = MountRig.start(home)) {
            byte[] large = write(rig, "large", 2 * WINDOW + 12_345);
            byte[] small = write(rig, "small", 300_001);
            rig.files().flush();
            try (FuseMount mount = rig.mount("m", true)) {
                Path file = mount.directory().resolve("large");
                MappedByteBuffer middle = map(file, WINDOW, WINDOW);
                MappedByteBuffer end = map(file, 2 * WINDOW, 12_345);
                assertThat(middle.get(WINDOW / 2)).isEqualTo(large[WINDOW + WINDOW / 2]);
                awaitLoaded(middle);
                assertThat(end.get(0)).isEqualTo(large[2 * WINDOW]);
                awaitLoaded(end);
                Path other = mount.directory().resolve("small");
                MappedByteBuffer whole = map(other, 0, small.length);
                assertThat(whole.get(small.length - 1)).isEqualTo(small[small.length - 1]);
                awaitLoaded(whole);
                assertThat(bytes(middle)).isEqualTo(Arrays.copyOfRange(large, WINDOW, 2 * WINDOW));
                assertThat(bytes(end)).isEqualTo(Arrays.copyOfRange(large, 2 * WINDOW, large.length));
                assertThat(bytes(whole)).isEqualTo(small);
                assertThat(other).hasSize(small.length);
            }
        }
    }

    private static byte[] bytes(MappedByteBuffer map) {
        byte[] all = new byte[map.capacity()];
        map.get(0, all);
        return all;
    }

    @Test
    void allReadersGetTheirBytesAlsoWhenTheServerIsKilled() throws Exception {
        try (MountRig rig = MountRig.start(home)) {
            List<byte[]> files = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                files.add(write(rig, "f" + i, (i + 1) * 1_100_000 + i));
            }
            rig.files().flush();
            ExecutorService threads = Executors.newFixedThreadPool(2 * READERS);
            try (FuseMount mount = rig.mount("m", true)) {
                List<Future<Integer>> readers = new ArrayList<>();
                for (int i = 0; i < 2 * READERS; i++) {
                    int number = i % READERS;
                    long seed = random.nextLong();
                    Path file = mount.directory().resolve("f" + number);
                    readers.add(threads.submit(() -> wrong(file, files.get(number), new Random(seed))));
                }
                KilledServerTest.server(mount).destroyForcibly();
                for (Future<Integer> each : readers) {
                    assertThat(each.get()).isZero();
                }
            } finally {
                threads.shutdownNow();
            }
        }
    }

    /** Reads here and there; how many reads gave other bytes. */
    private static int wrong(Path file, byte[] expected, Random random) throws IOException {
        int wrong = 0;
        for (int i = 0; i < READS; i++) {
            int offset = random.nextInt(expected.length);
            int length = Math.min(1 + random.nextInt(8 * PAGE), expected.length - offset);
            ByteBuffer read = ByteBuffer.allocate(length);
            try (FileChannel channel = FileChannel.open(file)) {
                int got = 0;
                while (got >= 0 && read.hasRemaining()) {
                    got = channel.read(read, offset + read.position());
                }
            }
            boolean isRight =
                    !read.hasRemaining() && Arrays.equals(read.array(), 0, length, expected, offset, offset + length);
            wrong += isRight ? 0 : 1;
        }
        return wrong;
    }
}
