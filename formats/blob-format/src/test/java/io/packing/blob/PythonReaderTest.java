// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of the second implementation of the format, {@code docs/readers/blob_reader.py}, against the goldens of the
 * first.
 */
@Tag("process")
class PythonReaderTest {
    static final Path SCRIPTS =
            Path.of("..", "..", "docs", "readers").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    @BeforeAll
    static void pythonIsThere() {
        boolean there;
        try {
            there = run(Map.of(), "-c", "").exitCode() == 0;
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, "python3 is not installed: apt-get install python3 (its standard library is enough)");
    }

    private static void zstandardIsThereFor(String name) throws IOException {
        assumeTrue(
                !name.startsWith("v2/")
                        || run(Map.of(), "-c", "import zstandard").exitCode() == 0,
                "the Python package zstandard is not installed: pip install zstandard");
    }

    @Test
    void aReaderWithoutThePackageSaysWhatToInstall() throws IOException {
        String program = """
                import sys
                sys.path.insert(0, sys.argv[1])
                sys.modules['zstandard'] = None
                import blob_reader
                try:
                    blob_reader.main(*sys.argv[2:])
                except ValueError as e:
                    sys.exit(str(e))
                """;
        String file = golden("v2/dictionary");
        Run plain = run(Map.of(), "-c", program, SCRIPTS.toString(), "cat", file, "/plain");
        assertThat(plain.output()).isEqualTo("plain");
        for (String path : List.of("/frame", "/trained")) {
            Run frame = run(Map.of(), "-c", program, SCRIPTS.toString(), "cat", file, path);
            assertThat(frame.exitCode()).isEqualTo(1);
            assertThat(frame.errors()).contains("this blob has extents of Zstandard: pip install zstandard");
        }
    }

    @ParameterizedTest
    @MethodSource("io.packing.blob.GoldenBlobTest#names")
    void aFileIsListedVerifiedAndRead(String name) throws IOException {
        zstandardIsThereFor(name);
        String file = golden(name);
        BlobReader reader = BlobReader.open(new BytesSource(GoldenBlobs.bytes(name)));
        assertThat(read("list", file)).isEqualTo(listing(reader.footer()));
        assertThat(read("verify", file)).isEmpty();
        for (PackedFile packed : reader.footer()) {
            if (packed.extents().stream().anyMatch(each -> each.codec() == Codec.ADOPTED)) {
                Run refused = run(Map.of(), script(), "cat", file, packed.path().value());
                assertThat(refused.exitCode()).isEqualTo(1);
                assertThat(refused.errors()).contains("the bytes are in s3://bucket/photos/", "version \"9b2cf5\"");
                continue;
            }
            PackedFile newest = reader.footer().find(packed.path()).orElseThrow();
            assertThat(read("cat", file, packed.path().value()))
                    .as("%s", packed.path())
                    .isEqualTo(new String(content(reader, newest), StandardCharsets.UTF_8));
        }
    }

    @Test
    void filesAreExtracted() throws IOException {
        read("extract", golden("gaps"), directory.resolve("out").toString());
        assertThat(directory.resolve("out/a")).hasContent("second in the body");
        assertThat(directory.resolve("out/b")).hasContent("first in the body");
        read("extract", golden("zero-length"), directory.resolve("out").toString());
        assertThat(directory.resolve("out/job/_SUCCESS")).isEmptyFile();
    }

    @Test
    void aUrlIsReadByRanges() throws IOException {
        try (RangeServer server = new RangeServer()) {
            String url = server.url() + "/open/deflate.blob";
            assertThat(read("cat", url, "/deflated")).isEqualTo("packing packing packing packing");
            assertThat(server.ranges()).containsExactly("bytes=-65536", "bytes=16-28");
            assertThat(read("verify", url)).isEmpty();
        }
    }

    @Test
    void anObjectInS3IsReadWithASignature() throws IOException {
        try (RangeServer server = new RangeServer()) {
            String object = "s3://bucket/blobs/3f/a b+c/gaps.blob";
            Map<String, String> environment = Map.of(
                    "AWS_ENDPOINT_URL", server.url(),
                    "AWS_REGION", "eu-central-1",
                    "AWS_ACCESS_KEY_ID", "key",
                    "AWS_SECRET_ACCESS_KEY", RangeServer.SECRET,
                    "AWS_SESSION_TOKEN", "token");
            Run signed = run(environment, script(), "cat", object, "/b");
            assertThat(signed.errors()).isEmpty();
            assertThat(signed.output()).isEqualTo("first in the body");

            Run anonymous = run(Map.of("AWS_ENDPOINT_URL", server.url()), script(), "list", object);
            assertThat(anonymous.exitCode()).isEqualTo(1);
            assertThat(anonymous.errors()).contains("403");
        }
    }

    @ParameterizedTest
    @MethodSource("io.packing.blob.GoldenBlobTest#names")
    void everyFlippedBitAndTruncationIsDetected(String name) throws IOException {
        zstandardIsThereFor(name);
        damageIsDetected(Map.of(), golden(name), GoldenBlobs.bytes(name).length < 150 ? 1 : 7);
    }

    /**
     * Flips bits of a blob, each by itself, and cuts it after each byte. It uses one process: a thousand interpreters
     * would take minutes.
     *
     * @param step between flipped bits
     */
    static void damageIsDetected(Map<String, String> environment, String blob, int step) throws IOException {
        String program = """
                import sys, zlib
                sys.path.insert(0, sys.argv[1])
                import blob_reader

                class Bytes:
                    def __init__(self, data):
                        self.data, self.length = data, len(data)
                    def tail(self, count):
                        return self.data[-count:]
                    def read(self, offset, count):
                        blob_reader.need(offset + count <= self.length, "past the end")
                        return self.data[offset:offset + count]

                def accepted(data):
                    try:
                        blob_reader.Blob(Bytes(data)).verify()
                        return True
                    except (ValueError, IndexError, zlib.error):
                        return False

                good = open(sys.argv[2], "rb").read()
                assert accepted(good)
                for bit in range(0, len(good) * 8, int(sys.argv[3])):
                    bad = bytearray(good)
                    bad[bit // 8] ^= 1 << bit % 8
                    assert not accepted(bytes(bad)), bit
                for length in range(len(good)):
                    assert not accepted(good[:length]), length
                print("all detected")
                """;
        Run run = run(environment, "-c", program, SCRIPTS.toString(), blob, String.valueOf(step));
        assertThat(run.errors()).isEmpty();
        assertThat(run.output()).isEqualTo("all detected\n");
    }

    @Test
    void aCorruptBlobAndAMissingPathAreReported() throws IOException {
        byte[] blob = GoldenBlobs.bytes("one-file");
        blob[20] ^= 1;
        Path file = Files.write(directory.resolve("corrupt"), blob);
        Run verify = run(Map.of(), script(), "verify", file.toString());
        assertThat(verify.exitCode()).isEqualTo(1);
        assertThat(verify.errors()).contains("crc of the extent at 16");
        Run missing = run(Map.of(), script(), "cat", golden("one-file"), "/nothing");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.errors()).contains("there is no /nothing");
    }

    @Test
    void theReaderIsShort() throws IOException {
        assertThat(Files.readAllLines(SCRIPTS.resolve("blob_reader.py"))).hasSizeLessThan(150);
    }

    private String golden(String name) throws IOException {
        return Files.write(directory.resolve(name.replace('/', '-') + ".blob"), GoldenBlobs.bytes(name))
                .toString();
    }

    private static String script() {
        return SCRIPTS.resolve("blob_reader.py").toString();
    }

    private static String read(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(0, script());
        Run run = run(Map.of(), command.toArray(String[]::new));
        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        return run.output();
    }

    private static String listing(Footer footer) {
        StringBuilder lines = new StringBuilder();
        for (PackedFile file : footer) {
            FileAttributes a = file.attributes();
            lines.append(String.format(
                    Locale.ROOT,
                    "%04o %s:%s %d %d %s %s\n",
                    a.mode(),
                    a.owner(),
                    a.group(),
                    a.length(),
                    a.mtimeMillis(),
                    file.version(),
                    file.path()));
        }
        return lines.toString();
    }

    private static byte[] content(BlobReader reader, PackedFile file) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Extent extent : file.extents()) {
            ByteBuffer bytes = reader.readExtent(extent);
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            out.writeBytes(copy);
        }
        return out.toByteArray();
    }

    record Run(int exitCode, String output, String errors) {}

    static Run run(Map<String, String> environment, String... arguments) throws IOException {
        Path output = Files.createTempFile("python", ".out");
        Path errors = Files.createTempFile("python", ".err");
        try {
            List<String> command = new ArrayList<>(List.of("python3", "-B"));
            command.addAll(List.of(arguments));
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
            builder.environment()
                    .keySet()
                    .removeIf(key -> key.startsWith("AWS_") || key.startsWith("PACKING_") || key.endsWith("_proxy"));
            builder.environment().put("PYTHONUTF8", "1");
            builder.environment().putAll(environment);
            int exitCode = builder.start().waitFor();
            return new Run(exitCode, Files.readString(output), Files.readString(errors));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }
}
