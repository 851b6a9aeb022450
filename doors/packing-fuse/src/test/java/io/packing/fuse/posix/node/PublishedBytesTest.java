// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.seed.Seed;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bytes of the files that were written last. */
class PublishedBytesTest {
    private static final int SIZE = 1_000;

    private final PublishedBytes recent = new PublishedBytes(SIZE);

    private static byte[] bytes(int number, int length) {
        byte[] bytes = new byte[length];
        new Random(number).nextBytes(bytes);
        return bytes;
    }

    private static FileVersion version(int number) {
        return new FileVersion(number, number);
    }

    private Optional<byte[]> read(int number, int length) throws IOException {
        FileStatus status = new FileStatus(
                new FilePath("/f"),
                version(number),
                new FileAttributes(length, 0, "", "", 0644),
                FileStatus.State.BUFFERED);
        Optional<PackingInput> input = recent.open(new LocatedFile(status, new Placement.Lost("w")));
        if (input.isEmpty()) {
            return Optional.empty();
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        int unused = input.get().read(0, all);
        return Optional.of(all.array());
    }

    @Test
    void theBytesOfAVersionAreThoseOfItsPut() throws IOException {
        recent.put(version(1), ByteBuffer.wrap(bytes(1, 100)));
        assertThat(read(1, 100)).contains(bytes(1, 100));
        assertThat(read(2, 100)).as("another version").isEmpty();
        assertThat(read(1, 99)).as("the file has another length").isEmpty();
    }

    @Test
    void emptyAndLargeFilesAreNotKept() throws IOException {
        recent.put(version(1), ByteBuffer.allocate(0));
        recent.put(version(2), ByteBuffer.allocate(SIZE + 1));
        assertThat(read(1, 0)).isEmpty();
        assertThat(read(2, SIZE + 1)).isEmpty();
        recent.put(version(3), ByteBuffer.wrap(bytes(3, SIZE)));
        assertThat(read(3, SIZE)).contains(bytes(3, SIZE));
    }

    /** Each version is there with its bytes or not at all, and the newest ones are there. */
    @Test
    void newBytesTakeThePlaceOfTheOldest() throws IOException {
        Random random = Seed.random();
        int[] lengths = new int[501];
        for (int number = 1; number <= 500; number++) {
            int length = random.nextInt(1, 300);
            lengths[number] = length;
            recent.put(version(number), ByteBuffer.wrap(bytes(number, length)));
            int kept = 0;
            for (int each = 1; each <= number; each++) {
                Optional<byte[]> found = read(each, lengths[each]);
                if (found.isPresent()) {
                    assertThat(found.get()).isEqualTo(bytes(each, lengths[each]));
                    kept += lengths[each];
                }
            }
            assertThat(read(number, length)).as("the newest").isPresent();
            assertThat(kept).isLessThanOrEqualTo(SIZE);
            if (number > 20) {
                assertThat(kept).as("bytes that are kept").isGreaterThan(SIZE / 4);
            }
        }
    }
}
