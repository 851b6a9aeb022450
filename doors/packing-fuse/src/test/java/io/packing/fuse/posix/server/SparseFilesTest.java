// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files with holes: programs see the stored bytes and their places. */
@Timeout(300)
@Tag("process")
class SparseFilesTest extends OneMountFixture {
    private static final int MEGABYTE = 1 << 20;
    private static final int SIZE = 12 * MEGABYTE;
    private static final long BLOCKS_OF_A_MEGABYTE = MEGABYTE / 512;

    private final Random random = Seed.random();

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    private static long blocks(Path file) throws IOException, InterruptedException {
        return Long.parseLong(run("stat", "-c", "%b", file.toString()));
    }

    private void write(RandomAccessFile file, long at, int length) throws IOException {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        file.seek(at);
        file.write(bytes);
    }

    /** Makes a file with a megabyte of data at 4 MB and one at 8 MB. */
    private Path sparse(String name) throws IOException {
        Path path = root.resolve(name);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(SIZE);
            write(file, 4 * MEGABYTE, MEGABYTE);
            write(file, 8 * MEGABYTE, MEGABYTE);
        }
        return path;
    }

    @Test
    void blocksAreThoseOfWhatIsStored() throws Exception {
        Path whole = Files.write(root.resolve("whole"), new byte[MEGABYTE + 1]);
        assertThat(blocks(whole)).isEqualTo(BLOCKS_OF_A_MEGABYTE + 1);
        Path file = sparse("f");
        assertThat(blocks(file)).isEqualTo(2 * BLOCKS_OF_A_MEGABYTE);
        assertThat(Files.size(file)).isEqualTo(SIZE);
        assertThat(run("du", "-k", file.toString())).startsWith("2048\t");
        try (RandomAccessFile more = new RandomAccessFile(file.toFile(), "rw")) {
            write(more, 0, MEGABYTE);
            assertThat(blocks(file)).as("not published").isEqualTo(3 * BLOCKS_OF_A_MEGABYTE);
        }
        assertThat(blocks(file)).isEqualTo(3 * BLOCKS_OF_A_MEGABYTE);
        String unused = run("fallocate", "-p", "-o", "0", "-l", "2M", file.toString());
        assertThat(blocks(file)).isEqualTo(2 * BLOCKS_OF_A_MEGABYTE);
        try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
            cut.setLength(6 * MEGABYTE);
            cut.setLength(SIZE);
        }
        assertThat(blocks(file)).isEqualTo(BLOCKS_OF_A_MEGABYTE);
        mount.close();
        mount = rig.mount("m", false);
        assertThat(blocks(file)).as("mounted again").isEqualTo(BLOCKS_OF_A_MEGABYTE);
    }

    @Test
    void aCopyToTheLocalDiskKeepsHoles() throws Exception {
        Path file = sparse("f");
        Path copy = home.resolve("copy");
        String unused = run("cp", file.toString(), copy.toString());
        assertThat(Files.mismatch(file, copy)).isEqualTo(-1);
        assertThat(blocks(copy)).isLessThan(3 * BLOCKS_OF_A_MEGABYTE);
    }
}
