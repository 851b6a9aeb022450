// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.Placement;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobVerifier;
import io.packing.blob.Codec;
import io.packing.blob.FilePath;
import io.packing.blob.FileRangeSource;
import io.packing.seed.Seed;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mount with {@code packing.compression=zstd}: its stored bytes, and reads of all files. */
@Timeout(120)
class CompressedMountTest {
    private static final int FILES = 300;

    private final Random random = Seed.random();

    @TempDir
    private Path temp;

    private MountRig rig(String policy) throws IOException {
        return new MountRig(
                temp,
                Clock.systemUTC(),
                "packing.compression",
                "zstd",
                "packing.policy",
                policy,
                "packing.spill.bytes",
                "1MB");
    }

    /** Returns contents: small files that are alike, noise, and a file in several slices. */
    private List<byte[]> contents() {
        List<byte[]> contents = new ArrayList<>();
        for (int i = 0; i < FILES; i++) {
            StringBuilder text = new StringBuilder();
            while (text.length() < 2_000) {
                text.append("{\"user\":\"%x\",\"event\":\"%s\",\"worker\":\"worker-%d\"}\n"
                        .formatted(random.nextInt(), random.nextBoolean() ? "created" : "packed", random.nextInt(9)));
            }
            contents.add(text.toString().getBytes(StandardCharsets.US_ASCII));
        }
        contents.add(new byte[0]);
        contents.add(MountRig.bytes(1, 5_000));
        contents.add("all the same ".repeat(200_000).getBytes(StandardCharsets.US_ASCII));
        return contents;
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo", "directory"})
    void whatIsWrittenIsStoredInFewerBytesAndReadByEverybody(String policy) throws IOException {
        try (MountRig rig = rig(policy)) {
            List<byte[]> contents = contents();
            PackingFileSystem mount = rig.mounts.get(0);
            long written = 0;
            for (int i = 0; i < contents.size(); i++) {
                MountRig.write(mount, "/d/f%03d".formatted(i), contents.get(i), MountRig.NEW);
                written += contents.get(i).length;
            }
            mount.flush();

            Set<Codec> codecs = EnumSet.noneOf(Codec.class);
            for (int i = 0; i < contents.size(); i++) {
                String path = "/d/f%03d".formatted(i);
                for (PackingFileSystem reader : rig.mounts) {
                    assertThat(MountRig.read(reader, path)).as(path).isEqualTo(contents.get(i));
                }
                Placement.Packed packed = (Placement.Packed)
                        mount.bdt().locate(new FilePath(path)).orElseThrow().placement();
                for (BlobExtent extent : packed.extents()) {
                    codecs.add(extent.extent().codec());
                }
            }
            assertThat(codecs).contains(Codec.NONE, Codec.ZSTD, Codec.ZSTD_DICTIONARY);
            assertThat(verifiedBytes()).isLessThan(written / 3);
            readPieces(rig.mounts.get(1), contents);

            rig.loseMaster(true, "w0");
            for (int i = 0; i < contents.size(); i++) {
                assertThat(MountRig.read(rig.mounts.get(0), "/d/f%03d".formatted(i)))
                        .isEqualTo(contents.get(i));
            }
        }
    }

    private void readPieces(PackingFileSystem mount, List<byte[]> contents) throws IOException {
        for (int i = 0; i < 200; i++) {
            int file = random.nextInt(contents.size());
            byte[] content = contents.get(file);
            if (content.length > 0) {
                int from = random.nextInt(content.length);
                ByteBuffer piece = ByteBuffer.allocate(Math.min(700, content.length - from));
                try (PackingInput in = mount.open(new FilePath("/d/f%03d".formatted(file)))) {
                    while (piece.hasRemaining() && in.read(from + piece.position(), piece) > 0) {
                        // Reads on.
                    }
                }
                assertThat(piece.flip()).isEqualTo(ByteBuffer.wrap(content, from, piece.limit()));
            }
        }
    }

    @Test
    void noiseIsStoredAsItIsInBlobsOfVersionOne() throws IOException {
        try (MountRig rig = rig("fifo")) {
            for (int i = 0; i < 50; i++) {
                MountRig.write(rig.mounts.get(0), "/f" + i, MountRig.bytes(i, 9_000), MountRig.NEW);
            }
            rig.mounts.get(0).flush();
            for (Path blob : blobs()) {
                assertThat(Files.readAllBytes(blob)[8]).isEqualTo((byte) 1);
            }
            for (int i = 0; i < 50; i++) {
                assertThat(MountRig.read(rig.mounts.get(1), "/f" + i)).isEqualTo(MountRig.bytes(i, 9_000));
            }
        }
    }

    /** Returns the bytes of all blobs, after a check of each. */
    private long verifiedBytes() throws IOException {
        long bytes = 0;
        for (Path blob : blobs()) {
            try (FileChannel channel = FileChannel.open(blob)) {
                bytes += BlobVerifier.verify(new FileRangeSource(blob.toString(), channel))
                        .length();
            }
        }
        return bytes;
    }

    private List<Path> blobs() throws IOException {
        try (Stream<Path> walk = Files.walk(temp.resolve("store"))) {
            return walk.filter(Files::isRegularFile)
                    .filter(file -> file.toString().contains("/blobs/"))
                    .toList();
        }
    }
}
