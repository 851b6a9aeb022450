// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The blobs of each format version that stay in the tests for ever, and the code that wrote them. {@link #main} writes
 * the missing ones; it never writes an existing one again.
 */
final class GoldenBlobs {
    /**
     * "packing packing packing packing" as one raw DEFLATE stream: fixed bytes, because builds of zlib differ in their
     * output.
     */
    static final byte[] DEFLATED = HexFormat.of().parseHex("2b484ccececc4b5728c04e0300");

    /** A frame of Zstandard with that text; the other one has a line of JSON and needs the golden dictionary. */
    static final byte[] FRAME = HexFormat.of().parseHex("28b52ffd201f750000407061636b696e67200100ab0b17");

    static final String PACKING = "packing packing packing packing";

    static final byte[] TRAINED_FRAME =
            HexFormat.of().parseHex("28b52ffd234630cb57388d0000830001fddcdc02037c001a07351bf55a03");
    static final String JSON = "{\"user\":\"alice\",\"event\":\"packed\",\"blob\":7,\"worker\":\"w2\"}";

    private GoldenBlobs() {}

    static Map<String, TestFiles.Filler> all() {
        Map<String, TestFiles.Filler> all = new LinkedHashMap<>();
        all.put("empty", writer -> List.of());
        all.put("one-file", writer -> List.of(TestFiles.add(writer, 1, "/hello.txt", text("hello, world\n"))));
        all.put("zero-length", GoldenBlobs::zeroLength);
        all.put("unicode-paths", GoldenBlobs::unicodePaths);
        all.put("sliced", GoldenBlobs::sliced);
        all.put("gaps", GoldenBlobs::gaps);
        all.put("deflate", GoldenBlobs::deflate);
        all.put("v2/zstd", GoldenBlobs::zstd);
        all.put("v2/dictionary", GoldenBlobs::trained);
        all.put("v2/unused-dictionary", writer -> List.of(TestFiles.add(writer, 1, "/plain", text("plain"))));
        all.put("v4/adopted", GoldenBlobs::adopted);
        return all;
    }

    static byte[] bytes(String name) {
        return resource((name.contains("/") ? name : "v1/" + name) + ".blob");
    }

    static Dictionary dictionary() {
        return Dictionary.of(resource("v2/golden.dictionary"));
    }

    /** Stores all bytes as they are, in a blob that may have the golden dictionary. */
    static ExtentEncoder encoder(String name) {
        return new ExtentEncoder() {
            @Override
            public ExtentCodec.Stored encode(ByteBuffer bytes) {
                return ExtentCodec.encode(Codec.NONE, bytes);
            }

            @Override
            public Optional<Dictionary> dictionary() {
                return name.endsWith("dictionary") ? Optional.of(GoldenBlobs.dictionary()) : Optional.empty();
            }
        };
    }

    private static byte[] resource(String name) {
        try (InputStream in = GoldenBlobs.class.getResourceAsStream("/golden/" + name)) {
            if (in == null) {
                throw new AssertionError("there is no golden " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static List<PackedFile> zeroLength(BlobWriter writer) throws IOException {
        return List.of(
                TestFiles.add(writer, 1, "/empty", new byte[0]),
                TestFiles.add(writer, 2, "/full", text("x")),
                TestFiles.add(writer, 3, "/job/_SUCCESS", new byte[0]));
    }

    private static List<PackedFile> unicodePaths(BlobWriter writer) throws IOException {
        List<String> paths = List.of(
                "/\uFFEE last of the plane",
                "/\uD83D\uDE00 above it",
                "/a",
                "/a b/100%/\u00e9t\u00e9",
                "/a/b",
                "/a/b/c",
                "/a/bc",
                "/...",
                "/..a/.b",
                "/tab\tand\nnewline",
                "/\u65e5\u672c\u8a9e/\u65e5\u672c",
                "/\u65e5\u672c\u8a9e/\u65e5\u6728",
                "/" + "long-".repeat(60));
        List<PackedFile> files = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            byte[] content = text("content of file %d\n".formatted(i));
            List<Extent> extents = List.of(writer.append(0, ByteBuffer.wrap(content)));
            FileAttributes attributes = new FileAttributes(
                    content.length,
                    i % 2 == 0 ? -1L - i : 1L << 40,
                    i % 3 == 0 ? "zo\u00eb" : "",
                    "g" + i % 2,
                    i * 300);
            files.add(new PackedFile(
                    new FileVersion(Long.MAX_VALUE - i * 1_000_000_007L, (long) i << 55),
                    new FilePath(paths.get(i)),
                    attributes,
                    extents));
        }
        return files;
    }

    /**
     * Returns the second and fourth slice of one large file, whose third is in another blob, and two versions of one
     * path.
     */
    private static List<PackedFile> sliced(BlobWriter writer) throws IOException {
        Extent fourth = writer.append(3L << 40, ByteBuffer.wrap(text("fourth slice")));
        Extent second = writer.append(1L << 40, ByteBuffer.wrap(text("second slice")));
        return List.of(
                new PackedFile(
                        new FileVersion(77, 78),
                        new FilePath("/large"),
                        new FileAttributes(1L << 50, 1_700_000_000_000L, "alice", "staff", 0600),
                        List.of(second, fourth)),
                TestFiles.add(writer, 5, "/small", text("old")),
                TestFiles.add(writer, 6, "/small", text("new")));
    }

    private static List<PackedFile> gaps(BlobWriter writer) throws IOException {
        writer.append(0, ByteBuffer.wrap(text("record header 1 ")));
        PackedFile first = TestFiles.add(writer, 1, "/b", text("first in the body"));
        writer.append(0, ByteBuffer.wrap(text("record header 2 ")));
        writer.append(0, ByteBuffer.wrap(text("a file deleted meanwhile")));
        PackedFile second = TestFiles.add(writer, 2, "/a", text("second in the body"));
        writer.append(0, ByteBuffer.wrap(text("padding")));
        return List.of(first, second);
    }

    private static List<PackedFile> deflate(BlobWriter writer) throws IOException {
        int length = "packing packing packing packing".length();
        Extent elsewhere = new ExtentCodec.Stored(Codec.DEFLATE, ByteBuffer.wrap(DEFLATED)).at(0, length, 0);
        Extent whole = writer.copy(elsewhere, ByteBuffer.wrap(DEFLATED));
        return List.of(
                TestFiles.file(1, "/deflated", List.of(whole)), TestFiles.add(writer, 2, "/plain", text("plain")));
    }

    private static List<PackedFile> zstd(BlobWriter writer) throws IOException {
        int length = "packing packing packing packing".length();
        Extent frame = new ExtentCodec.Stored(Codec.ZSTD, ByteBuffer.wrap(FRAME)).at(0, length, 0);
        Extent whole = writer.copy(frame, ByteBuffer.wrap(FRAME));
        return List.of(TestFiles.file(1, "/frame", List.of(whole)), TestFiles.add(writer, 2, "/plain", text("plain")));
    }

    private static List<PackedFile> trained(BlobWriter writer) throws IOException {
        Extent frame =
                new ExtentCodec.Stored(Codec.ZSTD_DICTIONARY, ByteBuffer.wrap(TRAINED_FRAME)).at(0, JSON.length(), 0);
        Extent whole = writer.copy(frame, ByteBuffer.wrap(TRAINED_FRAME));
        writer.append(0, ByteBuffer.wrap(text("a gap")));
        List<PackedFile> files = new ArrayList<>(zstd(writer));
        files.add(TestFiles.file(3, "/trained", List.of(whole)));
        return files;
    }

    private static List<PackedFile> adopted(BlobWriter writer) throws IOException {
        long length = Extent.MAX_LENGTH + 5L;
        ByteBuffer name = new AdoptedObject("bucket", "photos/\u00e9t\u00e9 1.jpg", "\"9b2cf5\"", length).encode();
        ExtentCodec.Stored stored = new ExtentCodec.Stored(Codec.ADOPTED, name);
        Extent first = writer.copy(stored.at(0, Extent.MAX_LENGTH, 0), name.duplicate());
        writer.append(0, ByteBuffer.wrap(text("a gap")));
        Extent second = writer.copy(stored.at(Extent.MAX_LENGTH, 5, 0), name.duplicate());
        PackedFile object = new PackedFile(
                new FileVersion(1, 7),
                new FilePath("/photos/\u00e9t\u00e9 1.jpg"),
                new FileAttributes(length, 1_700_000_000_000L, "alice", "staff", 0644),
                List.of(first, second));
        return List.of(object, TestFiles.add(writer, 2, "/plain", text("plain")));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectories(Path.of(args[0]));
        for (Map.Entry<String, TestFiles.Filler> golden : all().entrySet()) {
            Path file = directory.resolve((golden.getKey().contains("/") ? "" : "v1/") + golden.getKey() + ".blob");
            if (Files.notExists(file)) {
                Path scratch = Files.createTempDirectory("golden");
                Files.write(file, TestFiles.blob(scratch, encoder(golden.getKey()), golden.getValue()));
            }
        }
    }
}
