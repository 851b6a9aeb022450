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
import io.packing.bdt.master.table.BlobRow;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.upkeep.Compactor;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobKey;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Decodings;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import io.packing.encryption.DataKeys;
import io.packing.encryption.Keystore;
import io.packing.encryption.Keystores;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sparse blobs of several keys, versions and codecs, or not encrypted, become one that is encrypted by the newest version. */
class EncryptedCompactionTest extends MountFixture {
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    private final AtomicLong now = new AtomicLong();
    private final Map<String, byte[]> contents = new HashMap<>();
    private Keystore keystore = Keystore.NONE;

    @BeforeEach
    void makeKeys() throws IOException {
        keystore = versions(0);
    }

    private Keystore versions(int... versions) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int version : versions) {
            lines.append("small@%d %s\n"
                    .formatted(version, "%02x".formatted(version + 3).repeat(32)));
        }
        Path file = Files.writeString(work.resolve("keys"), lines);
        return Keystores.open(file.toUri(), Optional.empty());
    }

    private Optional<BlobKey> key() throws IOException {
        return Optional.of(BlobKey.begin(new DataKeys(keystore, "small", now::get)));
    }

    @Test
    void filesOfAllKindsOfBlobsReadAsTheyWereAndAreEncryptedByTheNewestVersion() throws IOException {
        blob("a", Codec.NONE, key());
        blob("b", Codec.DEFLATE, key());
        blob("c", Codec.NONE, Optional.empty());
        keystore = versions(0, 1);
        blob("d", Codec.ZSTD, key());
        compact();
        assertThat(codecs("/a")).containsOnly(Codec.AES_NONE);
        assertThat(codecs("/b")).containsOnly(Codec.AES_DEFLATE);
        assertThat(codecs("/c")).as("encrypted now").containsOnly(Codec.AES_NONE);
        assertThat(codecs("/d")).containsOnly(Codec.AES_ZSTD);
        everyFileReadsAsItWas();
    }

    /** A blob of forty files in a directory, of which three stay. */
    private void blob(String directory, Codec codec, Optional<BlobKey> key) throws IOException {
        Path file = Files.createTempFile(work, "blob", "");
        List<PackedFile> packed = new ArrayList<>();
        FinishedBlob finished;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ)) {
            BlobWriter writer = new BlobWriter(channel, bytes -> ExtentCodec.encode(codec, bytes), key);
            for (int i = 0; i < 40; i++) {
                FilePath path = new FilePath("/%s/f%02d".formatted(directory, i));
                byte[] content = ("all of %s ".formatted(path.value()) + "alike ".repeat(200))
                        .getBytes(StandardCharsets.US_ASCII);
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

    private void compact() throws IOException {
        Mount mount = master.openMount(TestStores.MOUNT);
        MountKeys keys = new MountKeys(keystore, now::get);
        keys.use("small");
        Compactor compactor = new Compactor(
                new MountStorage("test", mount.table(), stores.objects, work, keys),
                mount.upkeep().uploader(),
                new Compactor.Schedule(INTERVAL, 0.5, 1 << 20, 1, 0, 0),
                new Clocks(Clock.systemUTC(), now::get));
        for (int pass = 0; pass < 3; pass++) {
            now.addAndGet(Duration.ofMinutes(11).toNanos());
            int steps = 0;
            while (compactor.step()) {
                assertThat(++steps).isLessThan(100);
            }
        }
    }

    private List<Codec> codecs(String directory) throws IOException {
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

    private void everyFileReadsAsItWas() throws IOException {
        Decodings decodings = new Decodings(versions(1));
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
