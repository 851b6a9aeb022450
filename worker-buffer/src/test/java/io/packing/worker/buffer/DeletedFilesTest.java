// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Durability;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.SealPolicy;
import io.packing.power.PowerDisk;
import io.packing.power.PowerStore;
import io.packing.worker.api.BufferValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Deleted files whose bytes stay in the buffer, and come back in the same process when a recovery takes the deletion back. */
final class DeletedFilesTest {
    private static final int LENGTH = 1_000;

    private final PowerDisk disk = new PowerDisk();
    private FileBuffer buffer;
    private Appender appender;
    private final BufferedFile[] files = new BufferedFile[3];

    @BeforeEach
    void write() throws IOException, InterruptedException {
        BufferLimits limits = new BufferLimits(
                1L << 30,
                1 << 20,
                0,
                SealPolicy.SealOptions.age(Duration.ofHours(1)),
                Duration.ofSeconds(1),
                Duration.ofMillis(50),
                Durability.SYNCED);
        FileBuffer.Stores stores = new FileBuffer.Stores(new PowerStore(), Optional.empty(), BufferValues.SEGMENT);
        buffer = FileBuffer.open(
                disk.root().resolve("mount").resolve("segments"),
                limits,
                stores,
                () -> 1L << 40,
                () -> 0,
                () -> 7,
                "boot");
        appender = new Appender(buffer, Scheduling.alone(() -> 0));
        for (int id = 0; id < files.length; id++) {
            files[id] = appender.append(
                    id + 1,
                    new FilePath("/f" + id),
                    new FileAttributes(LENGTH, 1, "o", "g", 0644),
                    Codec.NONE,
                    ByteBuffer.allocate(LENGTH));
            appender.step();
            buffer.granted(files[id], 10 + id);
        }
    }

    @AfterEach
    void close() throws IOException {
        buffer.close();
    }

    private BufferSegment take() throws InterruptedException, IOException {
        buffer.requestRoll();
        appender.step();
        return buffer.selection().takeSegment(false).orElseThrow();
    }

    private List<Long> living(BufferSegment segment) throws IOException {
        return buffer.selection().living(segment).stream().map(BufferedFile::id).toList();
    }

    private static Map<BufferedFile, List<Extent>> placed(List<BufferedFile> packed) {
        Map<BufferedFile, List<Extent>> placed = new LinkedHashMap<>();
        packed.forEach(file -> placed.put(
                file, file.parts().stream().map(BufferedFile.Part::extent).toList()));
        return placed;
    }

    private void undelete(long id) throws IOException {
        FileVersion version = buffer.find(id).orElseThrow().version();
        Reclaim asked = new Reclaim(
                version, new FilePath("/f"), buffer.find(id).orElseThrow().attributes());
        buffer.reclaims().answered(asked, Optional.of(version));
    }

    private PushReport push(BufferSegment segment, List<BufferedFile> packed) {
        PushReport report = buffer.selection().pushed(new PushedBlob(new BlobName("w", 1, 1), 1), placed(packed));
        buffer.selection().release(segment, false);
        return report;
    }

    @Test
    void aFileThatIsThereAgainIsInTheNextBlobOfItsSegment() throws Exception {
        buffer.delete(2);
        assertThat(buffer.bufferedFiles()).isEqualTo(2);
        assertThat(buffer.deletedBytes()).isEqualTo(LENGTH);
        BufferSegment segment = take();
        List<BufferedFile> packed = buffer.selection().living(segment);
        assertThat(packed.stream().map(BufferedFile::id)).containsExactly(1L, 3L);
        buffer.forget(push(segment, packed).files());
        assertThat(buffer.selection().takeSegment(false)).isEmpty();
        undelete(2);
        assertThat(buffer.deletedBytes()).isZero();
        assertThat(living(take())).containsExactly(2L);
    }

    @Test
    void aFileThatComesAndGoesWhileAPackerHasItIsInTheNextBlob() throws Exception {
        BufferSegment segment = take();
        List<BufferedFile> packed = buffer.selection().living(segment);
        buffer.delete(2);
        undelete(2);
        assertThat(push(segment, packed).files())
                .extracting(file -> file.version().id())
                .containsExactly(1L, 3L);
        assertThat(living(take())).containsExactly(2L);
    }

    @Test
    void aDeletedFileKeepsNoFlushWaitingAndLeavesWithItsSegment() throws Exception {
        List<BufferSegment> all = buffer.contents();
        buffer.delete(2);
        BufferSegment segment = take();
        buffer.forget(push(segment, buffer.selection().living(segment)).files());
        assertThat(buffer.awaitGone(all, 0)).isTrue();
        assertThat(buffer.contents()).contains(segment);
        buffer.journalled(100, 99);
        assertThat(buffer.contents()).contains(segment);
        buffer.journalled(105, 100);
        assertThat(buffer.contents()).doesNotContain(segment);
        assertThat(buffer.find(2)).isEmpty();
    }
}
