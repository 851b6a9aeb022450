// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.master.cloud.MountKeys;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.ObjectSource;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.upkeep.Compactor;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobKey;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Decodings;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.ExtentEncoder;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import io.packing.encryption.Keystore;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Sparse blobs that a test writes as it likes, their compaction, and what their files were. */
abstract class CompactionFixture extends MountFixture {
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    final AtomicLong now = new AtomicLong();
    private final Map<String, byte[]> contents = new HashMap<>();

    /** Returns the expected content of a file. */
    abstract byte[] content(FilePath path);

    /** A blob of forty files in a directory, of which three stay. */
    final void blob(String directory, ExtentEncoder encoder, Optional<BlobKey> key) throws IOException {
        Path file = Files.createTempFile(work, "blob", "");
        List<PackedFile> packed = new ArrayList<>();
        FinishedBlob finished;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            BlobWriter writer = new BlobWriter(channel, encoder, key);
            for (int i = 0; i < 40; i++) {
                FilePath path = new FilePath("/%s/f%02d".formatted(directory, i));
                byte[] content = content(path);
                FileAttributes attributes = new FileAttributes(content.length, 0, "u", "g", 0644);
                Claim claim = new Claim(session.newFileId(), path, attributes, true, true);
                ClaimResult.Granted granted =
                        (ClaimResult.Granted) session.claim(claim).join();
                Extent extent = writer.append(granted.version().id(), 0, ByteBuffer.wrap(content));
                packed.add(new PackedFile(granted.version(), path, attributes, List.of(extent)));
                contents.put(path.value(), content);
            }
            finished = writer.finish(packed);
        }
        BlobName name = new BlobName("w", finished.footerOffset(), timestamp++);
        stores.objects.put("blobs/" + name.key(), file, PutCondition.NONE);
        List<CommittedFile> committed = packed.stream()
                .map(each -> new CommittedFile(
                        each.version(),
                        List.of(new BlobExtent(name, each.extents().get(0)))))
                .toList();
        assertThat(session.heartbeat(new Heartbeat(0, 0, List.of(new PushedBlob(name, finished.length())), committed))
                        .sealNow())
                .isFalse();
        for (int i = 3; i < 40; i++) {
            FilePath path = packed.get(i).path();
            assertThat(table.delete(path, false)).isEqualTo(Outcome.DONE);
            contents.remove(path.value());
        }
    }

    /** @param keys by which the master encrypts what it writes */
    final void compact(MountKeys keys) throws IOException {
        Mount mount = master.openMount(TestStores.MOUNT);
        Compactor compactor = new Compactor(
                new MountStorage("test", mount.table(), stores.objects, work, keys),
                mount.upkeep().uploader(),
                new Compactor.CompactionOptions(INTERVAL, 0.5, 1 << 20, 1, 1, TestPrices.FREE_REQUESTS),
                new Clocks(Clock.systemUTC(), now::get));
        for (int pass = 0; pass < 3; pass++) {
            now.addAndGet(Duration.ofMinutes(11).toNanos());
            int steps = 0;
            while (compactor.step()) {
                assertThat(++steps).isLessThan(100);
            }
        }
    }

    /** Returns the codecs of a directory's files. */
    final List<Codec> codecs(String directory) throws IOException {
        List<Codec> codecs = new ArrayList<>();
        for (String path : contents.keySet()) {
            if (path.startsWith(directory)) {
                codecs.add(extent(located(path)).extent().codec());
            }
        }
        assertThat(codecs).hasSize(3);
        return codecs;
    }

    private LocatedFile located(String path) throws IOException {
        return table.locate(new FilePath(path)).orElseThrow();
    }

    private static BlobExtent extent(LocatedFile file) {
        return ((Placement.Packed) file.placement()).extents().get(0);
    }

    /** @param keystore that suffices for it */
    final void everyFileReadsAsItWas(Keystore keystore) throws IOException {
        Decodings decodings = new Decodings(keystore);
        for (Map.Entry<String, byte[]> each : contents.entrySet()) {
            LocatedFile file = located(each.getKey());
            BlobExtent at = extent(file);
            assertThat(at.blob().toString()).startsWith(BlobRow.COMPACTED);
            Extent extent = at.extent();
            String key = "blobs/" + at.blob().key();
            ObjectSource source =
                    new ObjectSource(stores.objects, key, at.blob().footerOffset());
            ByteBuffer stored = stores.objects.get(key, extent.blobOffset(), extent.storedLength());
            ByteBuffer bytes = ExtentCodec.decode(
                    at.blob().toString(),
                    extent,
                    stored,
                    decodings.of(at.blob(), file.status().version().id(), extent, source));
            assertThat(bytes).as(each.getKey()).isEqualTo(ByteBuffer.wrap(each.getValue()));
        }
    }
}
