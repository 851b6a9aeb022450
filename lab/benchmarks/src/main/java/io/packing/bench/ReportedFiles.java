// SPDX-License-Identifier: Apache-2.0
package io.packing.bench;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.BlobWriter;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.ExtentCodec;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.blob.PackedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Many files of 8 KB, as a worker reports them to a master: claimed, and committed in blobs of 5,000 files. A local store gets each blob as a
 * sparse file: its footer is whole, and its body, which neither a recovery nor a check of the table reads, is a hole.
 */
record ReportedFiles(long count) {
    static final int PER_DIRECTORY = 1_000;
    private static final int PER_BLOB = 5_000;
    private static final int FILE_BYTES = 8_192;
    /** The offset of a blob's first file. */
    private static final int BODY_START = 16;

    static FilePath path(long number) {
        return new FilePath("/warehouse/events/part-%06d/file-%09d.parquet".formatted(number / PER_DIRECTORY, number));
    }

    /**
     * Adds the files to a mount.
     *
     * @param store the directory of the mount's store
     * @return the nanoseconds that the blobs took, in which the master had nothing to do
     */
    long fill(Bdt mount, Path store) throws Exception {
        long blobs = 0;
        int checksum = ExtentCodec.crc32c(ByteBuffer.allocate(FILE_BYTES));
        WorkerSession session = mount.register(new WorkerRegistration("bench", "127.0.0.1:1"));
        FileAttributes attributes = new FileAttributes(FILE_BYTES, 1_700_000_000_000L, "hdfs", "hadoop", 0644);
        for (long first = 0; first < count; first += PER_BLOB) {
            List<CompletableFuture<ClaimResult>> claims = new ArrayList<>();
            for (long n = first; n < Math.min(count, first + PER_BLOB); n++) {
                claims.add(session.claim(new Claim(session.newFileId(), path(n), attributes, true, false)));
            }
            BlobName blob = new BlobName("bench", BODY_START + (long) claims.size() * FILE_BYTES, first);
            List<CommittedFile> commits = new ArrayList<>();
            List<PackedFile> packed = new ArrayList<>();
            long offset = BODY_START;
            for (CompletableFuture<ClaimResult> claim : claims) {
                FileVersion version = ((ClaimResult.Granted) claim.get()).version();
                Extent extent = new Extent(0, FILE_BYTES, offset, FILE_BYTES, Codec.NONE, checksum);
                packed.add(new PackedFile(version, path(first + commits.size()), attributes, List.of(extent)));
                commits.add(new CommittedFile(version, List.of(new BlobExtent(blob, extent))));
                offset += FILE_BYTES;
            }
            long start = System.nanoTime();
            PushedBlob pushed = new PushedBlob(blob, write(store.resolve(BlobName.FOLDER + blob.key()), packed));
            blobs += System.nanoTime() - start;
            if (session.heartbeat(new Heartbeat(0, 0, List.of(pushed), commits))
                    .lease()
                    .isNegative()) {
                throw new IllegalStateException("a lease that has ended");
            }
        }
        return blobs;
    }

    /** Writes a blob with a hole for its body; returns its length. */
    private static long write(Path blob, List<PackedFile> files) throws IOException {
        Files.createDirectories(blob.getParent());
        try (FileChannel channel = FileChannel.open(
                blob, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            long body = writer.reserve(files.size() * FILE_BYTES);
            int unused = channel.write(ByteBuffer.allocate(1), body + (long) files.size() * FILE_BYTES - 1);
            return writer.finish(files).length();
        }
    }
}
