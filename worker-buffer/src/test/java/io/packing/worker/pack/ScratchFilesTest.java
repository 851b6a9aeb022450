// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.pack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files for blobs, each written over an earlier one. */
final class ScratchFilesTest {
    @TempDir
    private Path directory;

    private long usable = ScratchFiles.AMPLE_DISK_BYTES;
    private long nanos;

    private ScratchFiles files() {
        return new ScratchFiles(directory, () -> usable, () -> nanos);
    }

    private List<Path> all() throws IOException {
        try (Stream<Path> list = Files.list(directory)) {
            return list.toList();
        }
    }

    @Test
    void aFileThatWasGivenBackIsTakenAgainWithWhatIsInIt() throws IOException {
        ScratchFiles files = files();
        Path first = files.take();
        Files.writeString(first, "before");
        files.giveBack(first);
        assertThat(files.take()).isEqualTo(first).hasContent("before");
        assertThat(files.take()).isNotEqualTo(first).isEmptyFile();
    }

    @Test
    void atMostSoManyAreKeptAndForSoLong() throws IOException {
        ScratchFiles files = files();
        List<Path> taken = List.of(files.take(), files.take(), files.take());
        for (Path each : taken) {
            files.giveBack(each);
            nanos++;
        }
        assertThat(all()).hasSize(ScratchFiles.MOST_SPARES);
        nanos = ScratchFiles.SPARE_NANOS;
        files.tidy();
        assertThat(all()).hasSize(ScratchFiles.MOST_SPARES - 1);
        nanos++;
        files.tidy();
        assertThat(all()).isEmpty();
    }

    @Test
    void noneIsKeptOnADiskThatIsNearlyFull() throws IOException {
        ScratchFiles files = files();
        Path second = files.take();
        files.giveBack(files.take());
        files.tidy();
        assertThat(all()).hasSize(2);
        usable--;
        files.tidy();
        assertThat(all()).containsExactly(second);
        files.giveBack(second);
        assertThat(all()).isEmpty();
    }

    @Test
    void aFileThatSomebodyMayStillReadIsNotWrittenOver() throws IOException {
        ScratchFiles files = files();
        Path first = files.take();
        files.drop(first);
        assertThat(all()).isEmpty();
        assertThat(files.take()).isNotEqualTo(first);
    }

    @Test
    void anEndDeletesWhatIsSpare() throws IOException {
        ScratchFiles files = files();
        files.giveBack(files.take());
        files.close();
        assertThat(all()).isEmpty();
    }
}
