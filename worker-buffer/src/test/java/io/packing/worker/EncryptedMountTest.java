// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.Outcome;
import io.packing.blob.Codec;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A mount with {@code packing.encryption.key}: its stored bytes, and reads by all processes with the key. */
@Timeout(120)
class EncryptedMountTest {
    private final Random random = Seed.random();
    private final Map<String, byte[]> contents = new LinkedHashMap<>();

    @TempDir
    private Path temp;

    private void write(EncryptedRig rig, String path, byte[] bytes) throws IOException {
        rig.write(path, bytes);
        contents.put(path, bytes);
    }

    /** Writes small files that are alike, noise, an empty file, and one in several slices. */
    private void writeAll(EncryptedRig rig) throws IOException {
        for (int i = 0; i < 300; i++) {
            write(rig, "/topsecret/f%03d".formatted(i), bytes(EncryptedRig.text(i, 2_000)));
        }
        write(rig, "/topsecret/empty", new byte[0]);
        write(rig, "/topsecret/noise", MountRig.bytes(1, 5_000));
        write(rig, "/topsecret/large", bytes(EncryptedRig.text(7, 3_500_000)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void assertAllRead(PackingFileSystem reader) throws IOException {
        for (Map.Entry<String, byte[]> each : contents.entrySet()) {
            assertThat(MountRig.read(reader, each.getKey())).as(each.getKey()).isEqualTo(each.getValue());
        }
    }

    @ParameterizedTest
    @CsvSource({"fifo,none", "fifo,deflate", "directory,zstd", "size,none"})
    void whatIsWrittenIsStoredEncryptedAndReadByEverybody(String policy, String compression) throws IOException {
        try (EncryptedRig rig = new EncryptedRig(
                temp,
                "packing.policy",
                policy,
                "packing.compression",
                compression,
                "packing.spill.bytes",
                "1MB",
                "packing.backup.min.changes",
                "1")) {
            writeAll(rig);
            rig.mount().flush();
            rig.rig.mounts.forEach(this::assertAllReadUnchecked);
            readPieces(rig.rig.mounts.get(1));
            assertThat(rig.codecs("/topsecret/noise")).containsOnly(Codec.AES_NONE);
            Codec plain = rig.codecs("/topsecret/f007").iterator().next().plain();
            assertThat(compression)
                    .isEqualTo(plain.name().replace("_DICTIONARY", "").toLowerCase(Locale.ROOT));

            // The rename makes a journal; the end of the master makes a backup.
            assertThat(rig.mount().bdt().rename(new FilePath("/topsecret/f001"), new FilePath("/topsecret/renamed")))
                    .isEqualTo(Outcome.DONE);
            contents.put("/topsecret/renamed", MountRig.read(rig.mount(), "/topsecret/renamed"));
            contents.remove("/topsecret/f001");
            rig.mount().bdt().checkpoint();
            rig.assertNothingInPlain("topsecret", "renamed", "{\"secret\"", "\"number\"");

            rig.rig.loseMaster(false, "w0");
            assertAllRead(rig.mount());
            // A recovery from footers, which have the names of the writes.
            rig.rig.loseMaster(true, "w0");
            contents.remove("/topsecret/renamed");
            assertAllRead(rig.mount());
            rig.assertNothingInPlain("topsecret", "renamed", "{\"secret\"", "\"number\"");
        }
    }

    private void assertAllReadUnchecked(PackingFileSystem reader) {
        try {
            assertAllRead(reader);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void readPieces(PackingFileSystem mount) throws IOException {
        String[] paths = contents.keySet().toArray(String[]::new);
        for (int i = 0; i < 200; i++) {
            String path = paths[random.nextInt(paths.length)];
            byte[] content = contents.getOrDefault(path, new byte[0]);
            if (content.length > 0) {
                int from = random.nextInt(content.length);
                ByteBuffer piece = ByteBuffer.allocate(Math.min(700, content.length - from));
                try (PackingInput in = mount.open(new FilePath(path))) {
                    while (piece.hasRemaining() && in.read(from + piece.position(), piece) > 0) {
                        // Reads on.
                    }
                }
                assertThat(piece.flip()).isEqualTo(ByteBuffer.wrap(content, from, piece.limit()));
            }
        }
    }

    @Test
    void sharedBytesAreReadByAllWhoShareThem() throws IOException {
        try (EncryptedRig rig = new EncryptedRig(temp, "packing.dedup", "file")) {
            byte[] same = bytes(EncryptedRig.text(3, 9_000));
            write(rig, "/first", same);
            rig.mount().flush();
            write(rig, "/second", same);
            rig.mount().flush();
            assertThat(rig.blobs()).hasSize(1);
            assertAllRead(rig.mount());
            rig.rig.loseMaster(true, "w0");
            assertAllRead(rig.mount());
        }
    }

    @Test
    void aNewVersionIsTakenForNewBlobsAndOldOnesNeedTheirs() throws IOException {
        try (EncryptedRig rig = new EncryptedRig(temp)) {
            write(rig, "/before", bytes(EncryptedRig.text(1, 5_000)));
            rig.mount().flush();
            rig.versions(0, 1);
            rig.rig.restartWorkers();
            write(rig, "/after", bytes(EncryptedRig.text(2, 5_000)));
            rig.mount().flush();
            assertAllRead(rig.rig.mounts.get(1));

            rig.versions(1);
            rig.rig.restartWorkers();
            assertThat(MountRig.read(rig.mount(), "/after")).isEqualTo(contents.getOrDefault("/after", new byte[0]));
            assertThatThrownBy(() -> MountRig.read(rig.mount(), "/before"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no version small@0 of key small")
                    .hasMessageContaining("put it back");
            rig.versions(0, 1);
            assertAllRead(rig.mount());
        }
    }

    @Test
    void aWorkerTakesTheKeyOfTheMountAndIsRefusedWithoutAKeystore() throws IOException {
        try (EncryptedRig rig = new EncryptedRig(temp);
                PackingWorker other = rig.rig.worker("w9", temp.resolve("w9"))) {
            Map<String, String> plain = new HashMap<>(rig.rig.options().raw());
            plain.remove("packing.encryption.key");
            plain.remove("packing.encryption.keystore");
            assertThatThrownBy(() -> other.open(MountOptions.from(plain)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is encrypted with key small")
                    .hasMessageContaining("packing.encryption.keystore");
            plain.put("packing.encryption.key", "small");
            assertThatThrownBy(() -> MountOptions.from(plain)).hasMessageContaining("packing.encryption.keystore");
            plain.put("packing.encryption.key", "other");
            plain.put("packing.encryption.keystore", rig.keys.toUri().toString());
            assertThatThrownBy(() -> other.open(MountOptions.from(plain))).hasMessageContaining("no key other");
            plain.remove("packing.encryption.key");
            try (LocalMount told = (LocalMount) other.open(MountOptions.from(plain))) {
                assertThat(told.options().encryption().key()).isEqualTo("small");
            }
        }
    }

    @Test
    void aKeystoreThatIsGoneStopsNothingThatRunsAndIsNamedByWhatStarts() throws IOException {
        try (EncryptedRig rig = new EncryptedRig(temp)) {
            write(rig, "/one", bytes(EncryptedRig.text(1, 5_000)));
            rig.mount().flush();
            Files.delete(rig.keys);
            write(rig, "/two", bytes(EncryptedRig.text(2, 5_000)));
            rig.mount().flush();
            assertAllRead(rig.mount());
            assertThatThrownBy(rig.rig::restartWorkers)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(rig.keys + " cannot be read");
        }
    }

    /** A recovery without these files would lose them. */
    @Test
    void aMasterWithoutTheKeyRecoversNothingAndSaysWhy() throws IOException {
        try (EncryptedRig rig = new EncryptedRig(temp)) {
            write(rig, "/one", bytes(EncryptedRig.text(1, 5_000)));
            rig.mount().flush();
            rig.versions(5);
            assertThatThrownBy(() -> rig.rig.loseMaster(true, "w0"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("small@0");
            rig.versions(0, 5);
            rig.rig.mounts.add(rig.rig.workers.get(0).open(rig.rig.options()));
            assertAllRead(rig.mount());
        }
    }

    /** The pages on the disk have the stored bytes; each read decrypts its extents. */
    @Test
    void pagesOnTheDiskAreEncryptedToo() throws IOException {
        Path pages = temp.resolve("pages");
        try (EncryptedRig rig =
                new EncryptedRig(temp, "packing.read.disk.bytes", "64MB", "packing.read.disk.dir", pages.toString())) {
            for (int i = 0; i < 50; i++) {
                write(rig, "/f" + i, bytes(EncryptedRig.text(i, 20_000)));
            }
            rig.mount().flush();
            for (int i = 0; i < 3; i++) {
                assertAllRead(rig.mount());
                rig.rig.restartWorkers();
            }
        }
        List<Path> files;
        try (Stream<Path> walk = Files.walk(pages)) {
            files = walk.filter(Files::isRegularFile).toList();
        }
        long bytes = 0;
        for (Path file : files) {
            byte[] page = Files.readAllBytes(file);
            bytes += page.length;
            assertThat(new String(page, StandardCharsets.ISO_8859_1)).doesNotContain("{\"secret\"", "\"number\"");
        }
        assertThat(bytes).as("bytes of pages on the disk").isGreaterThan(500_000);
    }

    /** Earlier files stay in plain, and are read beside the new ones. */
    @Test
    void aMountIsEncryptedFromTheMomentThatItsKeyIsNamed() throws IOException {
        Path keys = Files.writeString(temp.resolve("keys"), "small@0 %s\n".formatted("01".repeat(32)));
        try (MountRig plain = new MountRig(
                temp,
                Clock.systemUTC(),
                "packing.encryption.keystore",
                keys.toUri().toString())) {
            MountRig.write(plain.mounts.get(0), "/plain", bytes(EncryptedRig.text(1, 5_000)), MountRig.NEW);
            plain.mounts.get(0).flush();
            Map<String, String> named = new HashMap<>(plain.options().raw());
            named.put("packing.encryption.key", "small");
            try (PackingWorker other = plain.worker("w9", temp.resolve("w9"))) {
                assertThatThrownBy(() -> other.open(MountOptions.from(named)))
                        .hasMessageContaining("packing.encryption.key=(none), and small is asked for");
            }
            plain.master.setOptions(plain.options().raw(), Map.of("packing.encryption.key", "small"));
        }
        try (EncryptedRig rig = new EncryptedRig(temp)) {
            contents.put("/plain", bytes(EncryptedRig.text(1, 5_000)));
            write(rig, "/encrypted", bytes(EncryptedRig.text(2, 5_000)));
            rig.mount().flush();
            assertThat(rig.codecs("/plain")).containsOnly(Codec.NONE);
            assertThat(rig.codecs("/encrypted")).containsOnly(Codec.AES_NONE);
            assertAllRead(rig.mount());
        }
    }
}
