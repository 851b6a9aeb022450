// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Bdt;
import io.packing.bdt.BdtStatistics;
import io.packing.bdt.Outcome;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The dead bytes of workers' blobs of small files. */
class FramingTest {
    private static final int FILES = 1_000;
    private static final int FILE_BYTES = 10;

    @TempDir
    private Path temp;

    private static FilePath path(int number) {
        return new FilePath("/photos/%03d.txt".formatted(number));
    }

    private static long dead(Bdt table) throws IOException {
        BdtStatistics statistics = table.statistics();
        assertThat(statistics.blobs()).isPositive();
        return statistics.deadBytes();
    }

    @ParameterizedTest
    @CsvSource({"fifo, none", "directory, none", "fifo, zstd"})
    void headsOfSmallFilesAreNotDeadUntilTheirFilesAre(String policy, String compression) throws Exception {
        try (MountRig rig =
                new MountRig(temp, Clock.systemUTC(), "packing.policy", policy, "packing.compression", compression)) {
            for (int i = 0; i < FILES; i++) {
                byte[] content = ByteBuffer.allocate(FILE_BYTES).putInt(i).array();
                MountRig.write(rig.mounts.get(0), path(i).value(), content, MountRig.NEW);
            }
            rig.mounts.get(0).flush();
            Bdt table = rig.mounts.get(0).bdt();
            long total = table.statistics().blobBytes();
            assertThat(total).isGreaterThan(3L * FILES * FILE_BYTES / 2);
            assertThat(dead(table)).as("of %d bytes, freshly packed", total).isZero();
            for (int i = 0; i < FILES; i += 2) {
                assertThat(table.delete(path(i), false)).isEqualTo(Outcome.DONE);
            }
            assertThat(dead(table)).as("with half of the files").isBetween(total * 48 / 100, total * 52 / 100);
            table.checkpoint();
            rig.loseMaster(true, "w0");
            assertThat(dead(rig.mounts.get(0).bdt()))
                    .as("recovered from footers and journals")
                    .isBetween(total * 48 / 100, total * 52 / 100);
        }
    }
}
