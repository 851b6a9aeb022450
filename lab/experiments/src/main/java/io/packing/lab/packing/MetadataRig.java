// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.packing;

import io.packing.bdt.Bdt;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.Heartbeat;
import io.packing.bdt.HeartbeatReply;
import io.packing.bdt.PushedBlob;
import io.packing.bdt.WorkerRegistration;
import io.packing.bdt.WorkerSession;
import io.packing.bdt.master.table.Waiting;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
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
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/** Fills a mount over a local directory with files and whole blobs, as a worker would, but without a buffer. */
final class MetadataRig {
    private static final int FILES_PER_DIRECTORY = 1_000;
    private static final int CLAIMS = 5_000;
    private static final int COMMITS = 4_000;
    private static final String WORKER = "bench";

    private final Bdt mount;
    private final Path objects;
    private final int fileBytes;
    private final int filesPerBlob;

    MetadataRig(Bdt mount, Path objects, int fileBytes, int filesPerBlob) {
        this.mount = mount;
        this.objects = objects;
        this.fileBytes = fileBytes;
        this.filesPerBlob = filesPerBlob;
    }

    private static FilePath path(long number) {
        return new FilePath(
                "/warehouse/events/part-%06d/file-%09d.parquet".formatted(number / FILES_PER_DIRECTORY, number));
    }

    void fill(long files, LongConsumer done) throws IOException {
        WorkerSession session = mount.register(new WorkerRegistration(WORKER, "127.0.0.1:1"));
        for (long first = 0; first < files; first += filesPerBlob) {
            blob(session, first, (int) Math.min(filesPerBlob, files - first), done);
        }
    }

    private void blob(WorkerSession session, long first, int count, LongConsumer done) throws IOException {
        FileAttributes attributes = new FileAttributes(fileBytes, 1_700_000_000_000L, "hdfs", "hadoop", 0644);
        List<PackedFile> packed = new ArrayList<>(count);
        Path part = Files.createTempFile(objects, "part", "");
        BlobName name;
        long length;
        try (FileChannel channel = FileChannel.open(part, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            BlobWriter writer = new BlobWriter(channel, Codec.NONE);
            for (int from = 0; from < count; from += CLAIMS) {
                for (FileVersion version : claim(session, first + from, Math.min(CLAIMS, count - from), attributes)) {
                    Extent extent = writer.append(0, ByteBuffer.wrap(bytes(version)));
                    packed.add(new PackedFile(version, path(first + packed.size()), attributes, List.of(extent)));
                    done.accept(1);
                }
            }
            FinishedBlob finished = writer.finish(packed.stream()
                    .sorted((one, other) -> one.path().compareTo(other.path()))
                    .toList());
            name = new BlobName(WORKER, finished.footerOffset(), 1 + first);
            length = channel.size();
        }
        Path object = objects.resolve(BlobName.FOLDER + name.key());
        Files.createDirectories(object.getParent());
        Files.move(part, object);
        commit(session, name, length, packed);
    }

    private static List<FileVersion> claim(WorkerSession session, long first, int count, FileAttributes attributes)
            throws IOException {
        List<CompletableFuture<ClaimResult>> claims = new ArrayList<>(count);
        for (long n = first; n < first + count; n++) {
            claims.add(session.claim(new Claim(session.newFileId(), path(n), attributes, true, false)));
        }
        List<FileVersion> versions = new ArrayList<>(count);
        for (CompletableFuture<ClaimResult> claim : claims) {
            versions.add(((ClaimResult.Granted) Waiting.on(claim)).version());
        }
        return versions;
    }

    private byte[] bytes(FileVersion version) {
        byte[] bytes = new byte[fileBytes];
        ByteBuffer.wrap(bytes).putLong(version.id());
        return bytes;
    }

    private static void commit(WorkerSession session, BlobName name, long length, List<PackedFile> packed)
            throws IOException {
        for (int from = 0; from < packed.size(); from += COMMITS) {
            List<CommittedFile> files = packed.subList(from, Math.min(packed.size(), from + COMMITS)).stream()
                    .map(file -> new CommittedFile(
                            file.version(),
                            file.extents().stream()
                                    .map(extent -> new BlobExtent(name, extent))
                                    .toList()))
                    .toList();
            boolean last = from + COMMITS >= packed.size();
            List<PushedBlob> pushed = last ? List.of(new PushedBlob(name, length)) : List.of();
            HeartbeatReply unused = session.heartbeat(new Heartbeat(0, 0, pushed, files));
        }
    }
}
