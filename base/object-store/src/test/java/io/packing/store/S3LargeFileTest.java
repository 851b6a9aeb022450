// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("process")
class S3LargeFileTest {
    private static final long LENGTH = 200L << 20;

    @Test
    void fileLargerThanTheHeapIsStreamedWithOnePut(@TempDir Path directory) throws Exception {
        Path source = directory.resolve("source");
        Path target = directory.resolve("target");
        writeSparse(source);
        try (S3Server server =
                S3Server.start(S3ServerOptions.of(Files.createDirectory(directory.resolve("s3")), "bucket"))) {
            Path log = directory.resolve("log");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx48m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            SmallHeapUpload.class.getName(),
                            server.endpoint().toString(),
                            source.toString(),
                            target.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            assertThat(process.waitFor()).as(Files.readString(log)).isZero();
            assertThat(server.metrics().prefix("p").put()).isEqualTo(1);
        }
        assertThat(Files.mismatch(source, target)).isEqualTo(-1);
    }

    private static void writeSparse(Path file) throws IOException {
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.setLength(LENGTH);
            for (long at = 0; at < LENGTH; at += LENGTH / 10) {
                out.seek(at);
                out.writeLong(at + 1);
            }
        }
    }
}
