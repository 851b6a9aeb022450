// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.blob.BlobVerifier;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.PackedFile;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import io.packing.store.ObjectNotFoundException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlobCommandTest {
    @TempDir
    Path directory;

    private Path blob;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeBlob() throws IOException {
        blob = directory.resolve("blob");
        try (FileChannel channel = FileChannel.open(
                blob, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            Extent extent = writer.append(0, ByteBuffer.wrap("hello".getBytes(StandardCharsets.UTF_8)));
            writer.finish(List.of(new PackedFile(
                    new FileVersion(1, 1),
                    FilePath.normalise("/a/b"),
                    new FileAttributes(5, 0, "o", "g", 0644),
                    List.of(extent))));
        }
    }

    @Test
    void lsPrintsOneLinePerFile() {
        assertThat(run("blob", "ls", blob.toString())).isZero();
        assertThat(out.toString()).hasLineCount(1).contains("644", "5", "/a/b");
    }

    @Test
    void lsPrintsJson() throws IOException {
        assertThat(run("blob", "ls", "--json", blob.toString())).isZero();
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.size()).isEqualTo(1);
        assertThat(json.get(0).fieldNames())
                .toIterable()
                .containsExactly("path", "version", "length", "mtime_millis", "owner", "group", "mode", "extents");
    }

    @Test
    void extractWritesTheFilesAndNeverOverOthers() throws IOException {
        Path to = directory.resolve("to");
        assertThat(run("blob", "extract", blob.toString(), "--out", to.toString()))
                .isZero();
        assertThat(to.resolve("a/b")).hasContent("hello");
        assertThat(run("blob", "extract", blob.toString(), "--out", to.toString()))
                .isEqualTo(ExitCodes.FAILED);
    }

    @Test
    void aSoundBlobVerifies() {
        assertThat(run("blob", "verify", blob.toString())).isZero();
        assertThat(out.toString()).contains("sound", "1 files", "5 bytes");
    }

    @Test
    void aFlippedBitIsExitCodeFour() throws IOException {
        byte[] bytes = Files.readAllBytes(blob);
        bytes[20] ^= 1;
        Files.write(blob, bytes);
        assertThat(run("blob", "verify", blob.toString())).isEqualTo(ExitCodes.CORRUPT);
        assertThat(err.toString()).hasLineCount(1).startsWith("packing: ");
    }

    @Test
    void aMissingFileIsExitCodeFive() {
        assertThat(run("blob", "verify", directory.resolve("none").toString())).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(run("blob", "cat", blob.toString(), "/none")).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(err.toString()).contains("no file /none");
    }

    @Test
    void anUnknownOptionIsExitCodeTwo() {
        assertThat(run("blob", "ls", "--jsn", blob.toString())).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("--jsn");
    }

    @Test
    void aBlobIsFoundByItsFileUri() {
        assertThat(run("blob", "verify", blob.toUri().toString())).isZero();
        assertThat(out.toString()).contains("sound");
    }

    @Test
    void aBlobIsReadFromAnS3Server() throws Exception {
        Path objects = Files.createDirectories(directory.resolve("s3"));
        try (S3Server server = S3Server.start(S3ServerOptions.of(objects, "bucket"))) {
            Path prefix = Files.createDirectories(objects.resolve("bucket/prefix"));
            Files.copy(blob, prefix.resolve("one"));
            Map<String, String> options =
                    Map.of("packing.s3.endpoint", server.endpoint().toString());
            Map<String, String> keys = Map.of("PACKING_S3_ACCESS_KEY", "access", "PACKING_S3_SECRET_KEY", "secret");
            Map<String, String> all = MountTarget.withCredentials(options, keys);
            try (NamedBlob opened = NamedBlob.open("s3://bucket/prefix/one", all)) {
                assertThat(BlobVerifier.verify(opened.source()).files()).isEqualTo(1);
            }
            assertThatThrownBy(() -> NamedBlob.open("s3://bucket/prefix/other", all))
                    .isInstanceOf(ObjectNotFoundException.class);
        }
    }

    @Test
    void aNameWithoutAnObjectIsExitCodeTwo() {
        assertThat(run("blob", "ls", "s3://bucket")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("blob", "ls", "s3://bucket/prefix/")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    void verbosePrintsTheStackTrace() {
        run("blob", "verify", "--verbose", directory.resolve("none").toString());
        assertThat(err.toString()).contains("at io.packing.cli.Blob");
    }

    @Test
    void aMasterThatIsNotThereIsExitCodeThree() {
        int code = run("stat", "--timeout", "1", "packing://127.0.0.1:1/a");
        assertThat(code).isEqualTo(ExitCodes.UNAVAILABLE);
        assertThat(err.toString()).hasLineCount(1);
    }

    @Test
    void everyCommandDocumentsTheExitCodes() {
        run("blob", "ls", "--help");
        assertThat(out.toString()).contains("Exit codes:", "corrupt", "unavailable");
    }

    private int run(String... words) {
        return Main.commandFor(words)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(words);
    }
}
