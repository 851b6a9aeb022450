// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.pack;

import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.FinishedBlob;
import io.packing.blob.PackedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The overhead of a blob beside its files' bytes, measured by writing one with the real code.
 *
 * @param footerPerFile bytes of the footer per file
 * @param recordPerFile bytes of the body per file that belong to no extent: in arrival order the buffer's segment is
 *     the body, with a header before each file
 * @param fixed bytes per blob, whatever it holds
 */
public record BlobLayout(double footerPerFile, double recordPerFile, double fixed) {
    private static final int SAMPLE = 2_000;
    private static final int SMALL_SAMPLE = 200;
    private static final int MOST_SAMPLE_BYTES = 4_096;
    /** The fixed part of a segment's record header; the names follow it. */
    private static final int RECORD_HEADER = 64;

    private static final String OWNER = "hdfs";
    private static final String GROUP = "hadoop";

    /** Measures with files whose paths look like those of a Spark job: a directory per thousand files. */
    public static BlobLayout measure(long sizeBytes) throws IOException {
        long small = blobBytes(SMALL_SAMPLE, sizeBytes);
        long large = blobBytes(SAMPLE, sizeBytes);
        double perFile = (double) (large - small) / (SAMPLE - SMALL_SAMPLE);
        double names = path(SAMPLE / 2).value().length() + OWNER.length() + (double) GROUP.length();
        return new BlobLayout(perFile, RECORD_HEADER + names, small - perFile * SMALL_SAMPLE);
    }

    private static FilePath path(int number) {
        return new FilePath("/ingest/part-%05d/file-%09d".formatted(number / 1_000, number));
    }

    /** Returns the overhead of a blob with a number of files, in bytes. */
    private static long blobBytes(int files, long sizeBytes) throws IOException {
        Path file = Files.createTempFile("blob-layout", ".blob");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            byte[] bytes = new byte[(int) Math.min(sizeBytes, MOST_SAMPLE_BYTES)];
            SplittableRandom random = new SplittableRandom(8);
            List<PackedFile> packed = new ArrayList<>();
            for (int i = 0; i < files; i++) {
                random.nextBytes(bytes);
                List<Extent> extents =
                        bytes.length == 0 ? List.of() : List.of(writer.append(0, ByteBuffer.wrap(bytes)));
                packed.add(new PackedFile(
                        new FileVersion(1_000_000L + i, 2_000_000L + i),
                        path(i),
                        new FileAttributes(bytes.length, 1_700_000_000_000L + i, OWNER, GROUP, 0644),
                        extents));
            }
            FinishedBlob blob = writer.finish(packed);
            return blob.length() - (long) files * bytes.length;
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** Returns the bytes that a file of a size takes in a blob. */
    public double stored(long sizeBytes) {
        return sizeBytes + footerPerFile + recordPerFile;
    }
}
