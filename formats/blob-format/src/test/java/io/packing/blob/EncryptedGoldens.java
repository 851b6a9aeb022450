// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import io.packing.encryption.DataKeys;
import io.packing.encryption.Keystore;
import io.packing.encryption.Keystores;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The golden blobs of format version 3, like {@link GoldenBlobs} without encryption, and the keys for them. */
final class EncryptedGoldens {
    private static final String KEYS = "/golden/v3/keys";
    /** The key whose newest version has encrypted the goldens. */
    static final String KEY = "golden";

    private EncryptedGoldens() {}

    static Map<String, TestFiles.Filler> all() {
        Map<String, TestFiles.Filler> all = new LinkedHashMap<>();
        all.put("v3/empty", writer -> List.of());
        all.put("v3/encrypted", EncryptedGoldens::encrypted);
        all.put("v3/dictionary", EncryptedGoldens::trained);
        return all;
    }

    static Path keys() {
        try {
            return Path.of(EncryptedGoldens.class.getResource(KEYS).toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    static Keystore keystore() throws IOException {
        return Keystores.open(keys().toUri(), Optional.empty());
    }

    static DataKeys dataKeys() throws IOException {
        return new DataKeys(keystore(), KEY, () -> 0);
    }

    static byte[] bytes(String name) {
        try (InputStream in = EncryptedGoldens.class.getResourceAsStream("/golden/" + name + ".blob")) {
            if (in == null) {
                throw new AssertionError("there is no golden " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns a blob by a key: a golden with its own key gives the golden again. */
    static byte[] blob(Path directory, String name, BlobKey key) throws IOException {
        TestFiles.Filler filler = all().get(name);
        if (filler == null) {
            throw new AssertionError(name);
        }
        return blob(directory, GoldenBlobs.encoder(name), key, filler);
    }

    static byte[] blob(Path directory, ExtentEncoder encoder, BlobKey key, TestFiles.Filler filler) throws IOException {
        Path file = Files.createTempFile(directory, "blob", "");
        try (FileChannel channel = TestFiles.readWrite(file)) {
            BlobWriter writer = new BlobWriter(channel, encoder, Optional.of(key));
            writer.finish(filler.fill(writer));
        }
        return Files.readAllBytes(file);
    }

    private static List<PackedFile> encrypted(BlobWriter writer) throws IOException {
        Extent deflated = new ExtentCodec.Stored(Codec.DEFLATE, ByteBuffer.wrap(GoldenBlobs.DEFLATED))
                .at(0, GoldenBlobs.PACKING.length(), 0);
        Extent second = writer.append(9, 1L << 40, text("second slice"));
        unused(writer.append(10, 0, text("a file deleted meanwhile")));
        List<PackedFile> files = new ArrayList<>();
        files.add(TestFiles.add(writer, 1, "/hello.txt", "hello, world\n".getBytes(StandardCharsets.UTF_8)));
        files.add(TestFiles.add(writer, 2, "/empty", new byte[0]));
        files.add(TestFiles.file(
                3, "/deflated", List.of(writer.copy(3, deflated, ByteBuffer.wrap(GoldenBlobs.DEFLATED)))));
        files.add(TestFiles.file(9, "/large", List.of(second)));
        return files;
    }

    private static List<PackedFile> trained(BlobWriter writer) throws IOException {
        Extent trained = new ExtentCodec.Stored(Codec.ZSTD_DICTIONARY, ByteBuffer.wrap(GoldenBlobs.TRAINED_FRAME))
                .at(0, GoldenBlobs.JSON.length(), 0);
        Extent frame = new ExtentCodec.Stored(Codec.ZSTD, ByteBuffer.wrap(GoldenBlobs.FRAME))
                .at(0, GoldenBlobs.PACKING.length(), 0);
        return List.of(
                TestFiles.file(
                        3, "/trained", List.of(writer.copy(3, trained, ByteBuffer.wrap(GoldenBlobs.TRAINED_FRAME)))),
                TestFiles.file(4, "/frame", List.of(writer.copy(4, frame, ByteBuffer.wrap(GoldenBlobs.FRAME)))),
                TestFiles.add(writer, 5, "/plain", "plain".getBytes(StandardCharsets.UTF_8)));
    }

    private static void unused(Extent gap) {
        if (!gap.codec().isEncrypted()) {
            throw new AssertionError("a gap in plain");
        }
    }

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of(args[0]));
        for (String name : all().keySet()) {
            Path file = directory.resolve(name + ".blob");
            if (Files.notExists(file)) {
                Path scratch = Files.createTempDirectory("golden");
                Files.write(file, blob(scratch, name, BlobKey.begin(dataKeys())));
            }
        }
    }
}
