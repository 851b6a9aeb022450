// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dedup;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.blob.FileVersion;
import io.packing.seed.Seed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PhysicalBytesTest {
    private static final int LENGTH = 1_000;

    @TempDir
    private Path temp;

    private static ByteMap part(FileVersion content, long offset, long length) {
        return new ByteMap(length, List.of(new ByteMap.Reference(0, length, content, offset, LENGTH)));
    }

    @Test
    void whatDoesNotFitInMemoryIsCountedOnceToo() throws Exception {
        Random random = Seed.random();
        try (PhysicalBytes bounded = new PhysicalBytes(7, temp);
                PhysicalBytes unbounded = new PhysicalBytes(Integer.MAX_VALUE, temp)) {
            for (int i = 0; i < 2_000; i++) {
                FileVersion content = new FileVersion(1 + random.nextInt(300), 1 + random.nextInt(2));
                if (random.nextInt(10) == 0) {
                    bounded.add(content, LENGTH);
                    unbounded.add(content, LENGTH);
                } else {
                    int offset = random.nextInt(LENGTH);
                    ByteMap map = part(content, offset, 1 + random.nextInt(LENGTH - offset));
                    bounded.add(map);
                    unbounded.add(map);
                }
            }
            long total = unbounded.total();
            assertThat(total).isBetween(100L * LENGTH, 600L * LENGTH);
            assertThat(bounded.total()).isEqualTo(total);
            assertThat(files()).isNotZero();
        }
        assertThat(files()).isZero();
    }

    @Test
    void whatFitsNeedsNoFile() throws Exception {
        try (PhysicalBytes physical = new PhysicalBytes(100, temp)) {
            FileVersion content = new FileVersion(1, 1);
            physical.add(part(content, 0, 10));
            physical.add(part(content, 5, 10));
            assertThat(physical.total()).isEqualTo(15);
            physical.add(content, LENGTH);
            assertThat(physical.total()).isEqualTo(LENGTH);
            assertThat(files()).isZero();
        }
    }

    private long files() throws Exception {
        try (Stream<Path> all = Files.list(temp)) {
            return all.count();
        }
    }
}
