// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import com.google.protobuf.InvalidProtocolBufferException;
import io.packing.bdt.CommittedFile;
import io.packing.bdt.PushedBlob;
import io.packing.blob.BlobExtent;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The translation of pushed blobs and their files to columns and back. A wrong message makes it throw an {@link
 * IllegalArgumentException}.
 */
public final class CommitBatchCodec {
    /** Pushed blobs and the files that they complete. */
    public record Pushes(List<PushedBlob> blobs, List<CommittedFile> files) {
        public Pushes {
            blobs = List.copyOf(blobs);
            files = List.copyOf(files);
        }
    }

    private CommitBatchCodec() {}

    /** Encodes pushes as bytes that may be kept. */
    public static byte[] toBytes(Pushes pushes) {
        return encode(pushes.blobs(), pushes.files()).toByteArray();
    }

    /** Decodes the bytes of {@link #toBytes}. */
    public static Pushes fromBytes(byte[] bytes) {
        try {
            CommitBatch batch = CommitBatch.parseFrom(bytes);
            return new Pushes(blobs(batch), files(batch));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException("not a batch of commits", e);
        }
    }

    /** Encodes all in one message. */
    static CommitBatch encode(List<PushedBlob> blobs, List<CommittedFile> files) {
        CommitBatch.Builder batch = CommitBatch.newBuilder();
        for (PushedBlob blob : blobs) {
            batch.addPushed(Pushed.newBuilder()
                    .setBlob(blob.name().toString())
                    .setLength(blob.length())
                    .setFraming(blob.framing()));
        }
        Map<BlobName, Integer> numbers = new HashMap<>();
        long id = 0;
        long generation = 0;
        long end = 0;
        for (CommittedFile file : files) {
            FileVersion version = file.version();
            batch.addIds(version.id() - id);
            batch.addGenerations(version.generation() - generation);
            batch.addExtents(file.extents().size());
            id = version.id();
            generation = version.generation();
            for (BlobExtent located : file.extents()) {
                Integer number = numbers.get(located.blob());
                if (number == null) {
                    number = numbers.size();
                    numbers.put(located.blob(), number);
                    batch.addBlobs(located.blob().toString());
                }
                Extent extent = located.extent();
                batch.addExtentBlobs(number)
                        .addFileOffsets(extent.fileOffset())
                        .addLengths(extent.length())
                        .addBlobOffsets(extent.blobOffset() - end)
                        .addStoredLengths(extent.storedLength())
                        .addCodecs(extent.codec().number())
                        .addCrc32Cs(extent.crc32c());
                end = extent.blobEnd();
            }
        }
        return batch.build();
    }

    /** Returns the pushed blobs of a batch. */
    static List<PushedBlob> blobs(CommitBatch batch) {
        return batch.getPushedList().stream()
                .map(pushed ->
                        new PushedBlob(BlobName.parse(pushed.getBlob()), pushed.getLength(), pushed.getFraming()))
                .toList();
    }

    /** Returns the files of a batch. */
    static List<CommittedFile> files(CommitBatch batch) {
        check(batch);
        List<BlobName> blobs =
                batch.getBlobsList().stream().map(BlobName::parse).toList();
        List<CommittedFile> files = new ArrayList<>(batch.getIdsCount());
        long id = 0;
        long generation = 0;
        long end = 0;
        int at = 0;
        for (int file = 0; file < batch.getIdsCount(); file++) {
            id += batch.getIds(file);
            generation += batch.getGenerations(file);
            int count = batch.getExtents(file);
            if (count < 0 || count > batch.getLengthsCount() - at) {
                throw new IllegalArgumentException("file %d has %d extents of %d that are left"
                        .formatted(id, Integer.toUnsignedLong(count), batch.getLengthsCount() - at));
            }
            List<BlobExtent> extents = new ArrayList<>(count);
            for (int last = at + count; at < last; at++) {
                BlobExtent located = extent(batch, at, blobs, end);
                extents.add(located);
                end = located.extent().blobEnd();
            }
            files.add(new CommittedFile(new FileVersion(id, generation), extents));
        }
        if (at != batch.getLengthsCount()) {
            throw new IllegalArgumentException("%d extents belong to no file".formatted(batch.getLengthsCount() - at));
        }
        return files;
    }

    private static BlobExtent extent(CommitBatch batch, int at, List<BlobName> blobs, long end) {
        int blob = batch.getExtentBlobs(at);
        if (blob < 0 || blob >= blobs.size()) {
            throw new IllegalArgumentException(
                    "extent names blob %d of %d".formatted(Integer.toUnsignedLong(blob), blobs.size()));
        }
        return new BlobExtent(
                blobs.get(blob),
                new Extent(
                        batch.getFileOffsets(at),
                        batch.getLengths(at),
                        end + batch.getBlobOffsets(at),
                        batch.getStoredLengths(at),
                        Codec.of(batch.getCodecs(at)),
                        batch.getCrc32Cs(at)));
    }

    private static void check(CommitBatch batch) {
        int files = batch.getIdsCount();
        int extents = batch.getLengthsCount();
        boolean even = batch.getGenerationsCount() == files
                && batch.getExtentsCount() == files
                && batch.getExtentBlobsCount() == extents
                && batch.getFileOffsetsCount() == extents
                && batch.getBlobOffsetsCount() == extents
                && batch.getStoredLengthsCount() == extents
                && batch.getCodecsCount() == extents
                && batch.getCrc32CsCount() == extents;
        if (!even) {
            throw new IllegalArgumentException("the columns of a commit have different lengths");
        }
    }
}
