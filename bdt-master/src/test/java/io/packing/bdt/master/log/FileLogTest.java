// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileLogTest {
    @TempDir
    Path directory;

    @Test
    void logCutAtAnyByteKeepsEveryCompleteRecord() throws IOException {
        byte[] whole = write(1 << 20, 3);
        for (int length = 0; length <= whole.length; length++) {
            Files.write(segment(), Arrays.copyOf(whole, length));
            assertThat(replayed(true)).hasSize(length * 3 / whole.length);
        }
    }

    @Test
    void damageInTheMiddleIsAnErrorAndAtTheEndATornRecord() throws IOException {
        byte[] whole = write(1 << 20, 3);
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Files.write(segment(), damaged);
            if (at < whole.length * 2 / 3) {
                assertThatIOException().isThrownBy(() -> replayed(true)).withMessageContaining("damaged record");
            } else {
                assertThat(replayed(true)).hasSize(2);
            }
        }
    }

    @Test
    void oldSegmentsAreDroppedAndTheOthersReplayInOrder() throws IOException {
        try (FileLog log = FileLog.open(directory, 50, true)) {
            for (int i = 1; i <= 12; i++) {
                log.append(i, record(i));
                log.sync();
            }
            log.deleteAllBut(2);
            assertThat(log.segments()).isEqualTo(2);
        }
        List<Byte> kept = replayed(true);
        assertThat(kept).isSorted().endsWith((byte) 12).doesNotContain((byte) 1);
    }

    private byte[] write(int segmentBytes, int records) throws IOException {
        try (FileLog log = FileLog.open(directory, segmentBytes, true)) {
            for (int i = 1; i <= records; i++) {
                log.append(i, record(i));
                log.sync();
            }
        }
        return Files.readAllBytes(segment());
    }

    private static byte[] record(int number) {
        byte[] payload = new byte[20];
        Arrays.fill(payload, (byte) number);
        return payload;
    }

    private Path segment() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findFirst().orElseThrow();
        }
    }

    private List<Byte> replayed(boolean synced) throws IOException {
        List<Byte> first = new ArrayList<>();
        try (FileLog log = FileLog.open(directory, 1 << 20, synced)) {
            log.replay(payload -> first.add(payload[0]));
        }
        return first;
    }
}
