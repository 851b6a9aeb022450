package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.master.cloud.MountStorage;
import io.packing.bdt.master.cloud.ObjectSource;
import io.packing.bdt.master.table.BlobRow;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.upkeep.Compactor;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Decoding;
import io.packing.blob.Decodings;
import io.packing.blob.Dictionary;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import io.packing.blob.ZstdEncoder;
import io.packing.encryption.Keystore;
import io.packing.seed.Seed;
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
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Blobs with dictionaries of their own, or without, become one whose files read as they were. */
class CompressedCompactionTest extends MountFixture {
    private static final Duration INTERVAL = Duration.ofMinutes(10);

    private final Random random = Seed.random();
    private final AtomicLong now = new AtomicLong();
    private final Map<String, byte[]> contents = new HashMap<>();

    @Test
    void filesOfSeveralDictionariesReadAsTheyWereAfterCompaction() throws IOException {
        blob("a", Optional.of(dictionary("packed")));
        blob("b", Optional.of(dictionary("created")));
        blob("c", Optional.empty());
        compact();
        assertThat(codecs("/a")).containsOnly(Codec.ZSTD_DICTIONARY);
        assertThat(codecs("/b")).as("compressed anew").containsOnly(Codec.ZSTD_DICTIONARY);
        assertThat(codecs("/c")).containsOnly(Codec.ZSTD);
        everyFileReadsAsItWas();
        loseMaster();
        everyFileReadsAsItWas();
    }

    @Test
    void whatNeedsADictionaryIsCompressedWithoutWhenTheFirstBlobHasNone() throws IOException {
        blob("a", Optional.empty());
        blob("b", Optional.of(dictionary("created")));
        compact();
        assertThat(codecs("/b")).containsOnly(Codec.ZSTD);
        everyFileReadsAsItWas();
    }

    private Dictionary dictionary(String event) {
        List<byte[]> samples = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            samples.add(text(event));
        }
        return Dictionary.train(samples, 2_000).orElseThrow();
    }

    private byte[] text(String event) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 6; i++) {
            text.append("{\"user\":\"%x\",\"event\":\"%s\",\"worker\":\"worker-%d\"}\n"
                    .formatted(random.nextInt(), event, random.nextInt(9)));
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** A blob of forty files in a directory, of which three stay. */
    private void blob(String directory, Optional<Dictionary> dictionary) throws IOException {
        Path file = Files.createTempFile(work, "blob", "");
        List<PackedFile> packed = new ArrayList<>();
        FinishedBlob finished;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.READ);
                ZstdEncoder encoder = new ZstdEncoder(dictionary)) {
            BlobWriter writer = new BlobWriter(channel, encoder);
            for (int i = 0; i < 40; i++) {
                FilePath path = new FilePath("/%s/f%02d".formatted(directory, i));
                byte[] content = text("created");
                FileAttributes attributes = new FileAttributes(content.length, 0, "u", "g", 0644);
                Claim claim = new Claim(session.newFileId(), path, attributes, true, true);
                ClaimResult.Granted granted =
                        (ClaimResult.Granted) session.claim(claim).join();
                Extent extent = writer.append(0, ByteBuffer.wrap(content));
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
        Compactor compactor = new Compactor(
                new MountStorage("test", mount.table(), stores.objects, work),
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
                codecs.add(located(path).extent().codec());
            }
        }
        assertThat(codecs).hasSize(3);
        return codecs;
    }

    private BlobExtent located(String path) throws IOException {
        return ((Placement.Packed)
                        table.locate(new FilePath(path)).orElseThrow().placement())
                .extents()
                .get(0);
    }

    private void everyFileReadsAsItWas() throws IOException {
        Decodings decodings = new Decodings(Keystore.NONE);
        for (Map.Entry<String, byte[]> each : contents.entrySet()) {
            BlobExtent at = located(each.getKey());
            assertThat(at.blob().toString()).startsWith(BlobRow.COMPACTED);
            Extent extent = at.extent();
            String key = "blobs/" + at.blob().key();
            ByteBuffer stored = stores.objects.get(key, extent.blobOffset(), extent.storedLength());
            Decoding with = decodings.of(
                    at.blob(),
                    1,
                    extent,
                    new ObjectSource(stores.objects, key, at.blob().footerOffset()));
            assertThat(ExtentCodec.decode(at.blob().toString(), extent, stored, with))
                    .as(each.getKey())
                    .isEqualTo(ByteBuffer.wrap(each.getValue()));
        }
    }
}
