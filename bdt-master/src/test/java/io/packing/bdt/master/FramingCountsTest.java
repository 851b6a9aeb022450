// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.BdtStatistics;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Outcome;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.Reclaim;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.upkeep.Compactor;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobHeader;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FinishedBlob;
import io.packing.blob.FooterWriter;
import io.packing.blob.PackedFile;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Counts of the table for blobs that are mostly heads of records. */
class FramingCountsTest extends MountFixture {
    private static final Duration INTERVAL = Duration.ofMinutes(10);
    private static final int FILES = 40;
    /** Bytes before each file. */
    private static final int HEAD = 64;

    private final AtomicLong now = new AtomicLong();

    /** Pushes a worker's segment of small files as a blob. */
    private void blob() throws IOException {
        for (int i = 0; i < FILES; i++) {
            FileAttributes attributes = new FileAttributes(8, 0, "u", "g", 0644);
            FilePath path = new FilePath("/d/f%02d".formatted(i));
            Claim claim = new Claim(session.newFileId(), path, attributes, true, true);
            ClaimResult.Granted granted =
                    (ClaimResult.Granted) session.claim(claim).join();
            buffered.add(new Reclaim(granted.version(), path, attributes));
        }
        Path segment = Files.createTempFile(work, "segment", "");
        List<PackedFile> packed = new ArrayList<>();
        FinishedBlob finished;
        try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            channel.write(BlobHeader.bytes(), 0);
            for (Reclaim file : buffered) {
                ByteBuffer content =
                        ByteBuffer.allocate(8).putLong(0, file.version().id());
                long at = channel.size() + HEAD;
                channel.write(content.duplicate(), at);
                Extent extent = new Extent(0, 8, at, 8, Codec.NONE, ExtentCodec.crc32c(content));
                packed.add(new PackedFile(file.version(), file.path(), file.attributes(), List.of(extent)));
            }
            finished = FooterWriter.finish(channel, packed);
        }
        BlobName name = new BlobName("w", finished.footerOffset(), timestamp++);
        stores.objects.put("blobs/" + name.key(), segment, PutCondition.NONE);
        List<CommittedFile> committed = packed.stream()
                .map(file -> new CommittedFile(
                        file.version(),
                        List.of(new BlobExtent(name, file.extents().get(0)))))
                .toList();
        PushedBlob blob = new PushedBlob(name, finished.length(), finished.framing());
        assertThat(session.heartbeat(new Heartbeat(0, 0, List.of(blob), committed))
                        .sealNow())
                .isFalse();
        buffered.clear();
        awaitStatistics();
    }

    private void delete(int from, int to) throws IOException {
        for (int i = from; i < to; i++) {
            assertThat(table.delete(new FilePath("/d/f%02d".formatted(i)), false))
                    .isEqualTo(Outcome.DONE);
        }
        awaitStatistics();
    }

    private boolean compacts() throws IOException {
        Mount mount = master.openMount(TestStores.MOUNT);
        Compactor compactor = new Compactor(
                new MountStorage("test", mount.table(), stores.objects, work),
                mount.upkeep().uploader(),
                new Compactor.CompactionOptions(INTERVAL, 0.5, 1 << 20, 1, 1, TestPrices.FREE_REQUESTS),
                new Clocks(Clock.systemUTC(), now::get));
        boolean worked = false;
        for (int pass = 0; pass < 3; pass++) {
            now.addAndGet(Duration.ofMinutes(11).toNanos());
            worked |= compactor.step();
        }
        return worked;
    }

    @Test
    void framingIsAsDeadAsTheContentsOfItsBlob() throws IOException {
        blob();
        long total = table.statistics().blobBytes();
        assertThat(FILES * 8L).as("live bytes").isLessThan(total / 2);
        assertThat(table.statistics().deadBytes()).as("freshly packed").isZero();
        delete(0, FILES / 2);
        assertThat(table.statistics().deadBytes()).as("of half of the files").isBetween(total / 2, total / 2 + 1);
        master.openMount(TestStores.MOUNT).upkeep().uploadJournalNow();
        table.checkpoint();
        loseMaster();
        awaitStatistics();
        assertThat(table.statistics().deadBytes()).as("recovered").isBetween(total / 2, total / 2 + 1);
        delete(FILES / 2, FILES);
        BdtStatistics statistics = table.statistics();
        assertThat(statistics.deadBytes()).as("of all files").isEqualTo(statistics.blobBytes());
    }

    @Test
    void aBlobIsNotCompactedForItsFraming() throws IOException {
        blob();
        assertThat(compacts()).as("freshly packed").isFalse();
        delete(0, FILES / 2 - 1);
        assertThat(compacts()).as("with more than half of its files").isFalse();
        delete(FILES / 2 - 1, FILES - 1);
        assertThat(compacts()).as("with one of its files").isTrue();
        awaitStatistics();
        assertThat(table.statistics().deadBytes())
                .as("without that of the new blob")
                .isBetween(1L, table.statistics().blobBytes() - 8);
    }
}
